import { expect } from 'chai';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import type { NodeProcess } from './support/node.js';
import { openStage, type Stage } from './support/stage.js';

const total = 6_000;
/** Every tenth row names the contact of the row five rows earlier; every 25th is invalid. */
const isAgain = (index: number): boolean => index % 10 === 9;
const isBroken = (index: number): boolean => index % 25 === 0;
const again = Array.from({ length: total }, (_, index) => index).filter((index) => !isBroken(index) && isAgain(index));
const broken = total / 25;
const people = total - broken - again.length;

const contacts = Array.from({ length: total }, (_, index) =>
  isBroken(index)
    ? { email: 'nobody', lastName: `Row ${index}` }
    : {
        email: `person-${isAgain(index) ? index - 5 : index}@example.com`,
        lastName: `Row ${index}`,
        properties: { row: index, isAgain: isAgain(index) },
      },
);

async function found(db: ConnectedDatabase, sql: string): Promise<number> {
  const [row] = await db.rows<{ found: number }>(`SELECT COUNT(*) AS found FROM ${sql}`);
  return row?.found ?? NaN;
}

/** Checks the invariants: rows counted as processed were applied exactly once, and no others were applied. */
async function isConsistent(db: ConnectedDatabase): Promise<number> {
  // One statement, so that all counts are from the same moment.
  const [row] = await db.rows<{ processed: number; created: number; rejected: number; left_over: number }>(
    `SELECT i.processed, i.created, i.rejected,
       (SELECT COUNT(*) FROM audience_contact) - i.created
       + (SELECT COUNT(*) FROM audience_import_rejection) - i.rejected
       + (SELECT COUNT(*) FROM svc_event WHERE type = 'audience.contact.created') - i.created
       + (SELECT COUNT(*) FROM audience_consent_record) - i.created AS left_over
     FROM audience_import i`,
  );
  expect(row?.left_over, 'rows that are not counted').to.equal(0);
  return row?.processed ?? NaN;
}

async function keptPromises(stage: Stage, node: NodeProcess, importId: string): Promise<void> {
  const { db } = stage;
  const { import: ended } = await stage.ask(node, 'audience.import.get', { importId });
  expect(ended).to.include({ status: 'done', total, processed: total });
  expect(ended).to.include({ created: people, updated: again.length, rejected: broken });
  expect(await found(db, 'audience_contact'), 'one contact for each person').to.equal(people);
  expect(await found(db, 'audience_property'), 'two properties each').to.equal(2 * people);
  expect(await found(db, 'audience_consent_record'), 'one record each').to.equal(people);
  expect(await found(db, "audience_consent WHERE state = 'granted'"), 'current consents').to.equal(people);
  for (const name of ['audience.contact.created', 'audience.consent.granted'])
    expect(
      await found(db, `(SELECT person_id FROM svc_event WHERE type = '${name}' GROUP BY person_id) AS told`),
    ).to.equal(await found(db, `svc_event WHERE type = '${name}'`));
  expect(await found(db, "svc_event WHERE type = 'audience.contact.created'")).to.equal(people);
  expect(await found(db, "svc_event WHERE type = 'audience.contact.imported'"), 'one completion event').to.equal(1);
  expect(await found(db, 'audience_import_rejection'), 'each refused row once').to.equal(broken);
  for (const table of ['audience_import_part', 'audience_import_queue']) expect(await found(db, table)).to.equal(0);
  // The later row wins, regardless of which process worked on it.
  const rows = await db.rows<{ email: string; last_name: string }>('SELECT email, last_name FROM audience_contact');
  const names = new Map(rows.map(({ email, last_name: name }) => [email, name]));
  for (const index of again) expect(names.get(`person-${index - 5}@example.com`)).to.equal(`Row ${index}`);
}

describe('An import whose nodes are killed again and again', function () {
  this.timeout(180_000);
  needProducts('audience');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  /** Releases the lease of a dead process, which would be valid for another half minute. */
  const freed = (db: ConnectedDatabase) =>
    db.run('UPDATE audience_import_queue SET leased = 0, lease_token = NULL, lease_until = NULL WHERE leased = 1');

  it('completes with every row applied exactly once', async () => {
    const stage = await openStage();
    stages.push(stage);
    const { db } = stage;
    let node = await stage.start();
    await stage.ask(node, 'audience.topic.create', { key: 'news', name: 'News' });
    const consents = [{ topic: 'news', channel: 'email', source: 'trade fair' }];
    const { import: taken } = await stage.ask(node, 'audience.contact.import', { contacts, consents });
    const importId = textAt(taken, 'id');
    // The first kill is at an arbitrary point.
    await eventually(async () => (await isConsistent(db)) > 0, 'some progress');
    await node.kill();
    await eventually(
      async () =>
        (await found(db, 'information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()')) === 0,
      'the end of the dead process’s transaction',
    );
    let done = await isConsistent(db);
    expect(done, 'rows processed before the first kill').to.be.within(500, total - 2_500);
    // The next nodes die before a part's transaction, right before its COMMIT, or after it, depending on which node
    // gets there first.
    const worked = { 'import.part.before:2': 500, 'import.part.written:2': 500, 'import.part.after:2': 1_000 };
    let doomed = await Promise.all(
      Object.entries(worked).map(async ([fault, rows]) => ({ rows, node: await stage.start({ fault }) })),
    );
    const isDead = ({ node: { ending } }: (typeof doomed)[number]): boolean => ending() !== undefined;
    while (doomed.length > 0) {
      await freed(db);
      await eventually(() => doomed.some(isDead), 'the next death', 30_000);
      const dead = doomed.filter(isDead);
      expect(dead, 'only one node works at a time').to.have.length(1);
      for (const each of dead) await each.node.diedAtPoint();
      doomed = doomed.filter((each) => !dead.includes(each));
      done += dead.reduce((sum, { rows }) => sum + rows, 0);
      expect(await isConsistent(db)).to.equal(done);
    }
    await freed(db);
    node = await stage.start();
    await eventually(async () => (await found(db, 'audience_import_queue')) === 0, 'the end of the import', 60_000);
    await keptPromises(stage, node, importId);
  });
});
