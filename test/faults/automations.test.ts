import { expect } from 'chai';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { eventually } from '#test/support/eventually.js';
import { isRecord } from '#test/support/json.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { openStage, type Stage } from './support/stage.js';

const people = 60;

async function found(db: ConnectedDatabase, sql: string): Promise<number> {
  const [row] = await db.rows<{ found: number }>(`SELECT COUNT(*) AS found FROM ${sql}`);
  return row?.found ?? NaN;
}

/**
 * Releases the leases of dead processes, which would be valid for another half minute. Live processes lose theirs too.
 */
const freed = (db: ConnectedDatabase) =>
  db.run('UPDATE email_automation_queue SET leased = 0, lease_token = NULL, lease_until = NULL WHERE leased = 1');

/** Keeps every run from being claimed, until `freed`. */
const held = (db: ConnectedDatabase) =>
  db.run(
    'UPDATE email_automation_queue SET leased = 1, lease_token = UNHEX(LEFT(SHA2(RAND(), 256), 32)), lease_until = NOW(3) + INTERVAL 1 HOUR',
  );

/** Every step that a run took left exactly its trace: one row of history, and the effect that the row records, once. */
async function keptPromises(db: ConnectedDatabase): Promise<void> {
  expect(await found(db, 'email_automation_run'), 'one run each').to.equal(people);
  expect(await found(db, "email_automation_run WHERE status = 'completed' AND end_reason IS NULL")).to.equal(people);
  expect(await found(db, 'email_automation_queue')).to.equal(0);
  const torn = `email_automation_run r WHERE r.steps_taken <> (SELECT COUNT(*) FROM email_automation_history h WHERE h.run_id = r.id)
    OR r.steps_taken <> (SELECT MAX(h.position) + 1 FROM email_automation_history h WHERE h.run_id = r.id)`;
  expect(await found(db, torn), 'runs whose history has a gap').to.equal(0);
  for (const template of ['first', 'second', 'third']) {
    const each = `SELECT automation_run_id FROM email_message WHERE template = '${template}' GROUP BY automation_run_id HAVING COUNT(*) = 1`;
    expect(await found(db, `(${each}) once`), `one message each of ${template}`).to.equal(people);
    expect(await found(db, `email_message WHERE template = '${template}'`)).to.equal(people);
  }
  const sent = "email_automation_history WHERE outcome = 'sent'";
  expect(await found(db, sent)).to.equal(3 * people);
  expect(await found(db, 'email_automation_history h JOIN email_message m ON m.id = h.message_id')).to.equal(
    3 * people,
  );
  expect(await found(db, "svc_event WHERE type = 'email.automation.sent'")).to.equal(3 * people);
  const set = await found(db, "email_automation_history WHERE outcome = 'set'");
  expect(await found(db, "svc_event WHERE type = 'audience.contact.updated'"), 'properties set').to.equal(set);
  expect(set).to.equal(2 * people);
}

describe('Automation runs whose nodes are killed at every point of a step', function () {
  this.timeout(240_000);
  needProducts('audience', 'email');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  it('take each step exactly once, on two nodes and while the tree is edited', async () => {
    const stage = await openStage();
    stages.push(stage);
    const { db, askLive } = stage;
    let node = await stage.start();
    await askLive(node, 'audience.topic.create', { key: 'news', name: 'News' });
    await askLive(node, 'email.sender.set', { legalAddress: 'Acme, 1 Main Street' });
    for (const template of ['first', 'second', 'third']) {
      await askLive(node, 'email.template.draft.save', {
        template,
        locales: { en: { subject: template, text: template } },
      });
      await askLive(node, 'email.template.publish', { template });
    }
    const from = textAt(await askLive(node, 'email.sender.get', {}), 'ownAddress');
    const send = (template: string): object => ({ type: 'send', template, topic: 'news', from });
    const set = (key: string): object => ({ type: 'property.set', key, value: true });
    const steps = [
      { type: 'wait', seconds: 3_600 },
      send('first'),
      set('one'),
      send('second'),
      { type: 'branch', if: { field: 'properties.one', op: 'eq', value: true }, then: [set('two')], else: [] },
      send('third'),
    ];
    const created = await askLive(node, 'email.automation.create', { name: 'Welcome', triggerEvent: 'signup', steps });
    const automationId = textAt(created, 'automation', 'id');
    await askLive(node, 'email.automation.activate', { automationId });
    for (let index = 0; index < people; index += 1) {
      const consents = [{ topic: 'news', channel: 'email', source: 'test' }];
      const email = `person-${index}@example.com`;
      await askLive(node, 'audience.contact.upsert', { email, consents });
      const recorded = await askLive(node, 'audience.event.record', { email, name: 'signup' });
      expect(recorded['enrolled']).to.deep.equal([automationId]);
    }
    const waiting = 'email_automation_run WHERE entered = 1';
    await eventually(async () => (await found(db, waiting)) === people, 'every run to wait');
    await node.kill();
    // Their hour is over.
    await db.run('UPDATE email_automation_queue SET due_at = UTC_TIMESTAMP(3) - INTERVAL 1 HOUR');

    const rounds = [
      ['automation.step.before:1', 'automation.step.written:1'],
      ['automation.step.after:1', 'automation.step.written:2'],
      ['automation.step.before:2', 'automation.step.after:2'],
    ];
    for (const faults of rounds) {
      await held(db);
      const doomed = await Promise.all(faults.map((fault) => stage.start({ fault })));
      while (doomed.length > 0) {
        await freed(db);
        await eventually(() => doomed.some((each) => each.ending() !== undefined), 'the next death', 60_000);
        for (const dead of doomed.filter((each) => each.ending() !== undefined)) {
          await dead.diedAtPoint();
          doomed.splice(doomed.indexOf(dead), 1);
        }
      }
    }
    [node] = await Promise.all([stage.start(), stage.start()]);
    await freed(db);
    const edited = [
      { type: 'wait', seconds: 60 },
      ...steps.slice(1, 4),
      { type: 'wait', seconds: 1 },
      ...steps.slice(4),
    ];
    const { automation } = await askLive(node, 'email.automation.update', { automationId, steps: edited });
    expect(isRecord(automation) && automation['status']).to.equal('active');
    await eventually(async () => (await found(db, 'email_automation_queue')) === 0, 'the end of every run', 60_000);
    await keptPromises(db);
  });
});
