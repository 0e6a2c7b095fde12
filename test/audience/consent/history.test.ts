import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import { idBytes } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { contactOf, eventsOf, concurrently, topicOf } from '../support.js';
import { storedState, rebuiltState, recordCount } from './rebuild.js';
import { makeRandomChanges } from './random-changes.js';
import { skipOnVitess } from '#test/support/vitess.js';

const root = new URL('../../../', import.meta.url);

/** Source files with code that updates or deletes consent records. */
async function filesThatChangeRecords(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['core', 'plugins', 'migrations', 'scripts', 'config']) {
    const names = await readdir(new URL(`${folder}/`, root), { recursive: true });
    for (const name of names.filter((each) => each.endsWith('.ts'))) {
      const source = await readFile(new URL(`${folder}/${name}`, root), 'utf8');
      if (changesRecords(source)) found.push(`${folder}/${name}`);
    }
  }
  return found;
}

/** Whether a source text updates or deletes consent records, by SQL or through a session. */
const changesRecords = (source: string): boolean =>
  /\b(?:UPDATE|DELETE\s+FROM|REPLACE(?:\s+INTO)?|TRUNCATE(?:\s+TABLE)?|DROP\s+TABLE(?:\s+IF\s+EXISTS)?|ALTER\s+TABLE)\s+`?audience_consent_record\b/i.test(
    source,
  ) ||
  /audience_consent_record\b[^;`']*ON\s+DUPLICATE\s+KEY/i.test(source) ||
  /\.(?:update|remove|delete|save|upsert)\(\s*consentRecords\b/.test(source);

describe('Consent records and the stored consent state', () => {
  const platform = usePlatform();

  it('no code of the product updates or deletes a record', async () => {
    expect(await filesThatChangeRecords()).to.deep.equal([]);
    // The search itself works.
    for (const wrong of [
      'UPDATE audience_consent_record SET state = 1',
      'delete from `audience_consent_record` where id = ?',
      'REPLACE INTO audience_consent_record VALUES (1)',
      'INSERT INTO audience_consent_record (id) VALUES (?) ON DUPLICATE KEY UPDATE id = id',
      'await db.update(consentRecords, { id }, { state })',
      'await db.remove(\n  consentRecords,',
    ])
      expect(changesRecords(wrong), wrong).to.equal(true);
    expect(changesRecords('INSERT INTO audience_consent_record (id) VALUES (?)')).to.equal(false);
  });

  it('agree after a concurrent grant and revoke on two nodes, twenty times', async () => {
    const { svc, live, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    await topicOf(svc);
    const change = { topic: 'news', channel: 'email' as const, source: 'race' };
    for (let round = 0; round < 20; round += 1) {
      const { id: contactId } = await contactOf(svc, { email: `c${round}@example.com` });
      if (round % 2) await svc.call('audience.consent.grant', { ...change, contactId });
      platform.clock.advance(1);
      await Promise.all([
        (round % 4 < 2 ? svc : other).call('audience.consent.grant', { ...change, contactId }),
        (round % 4 < 2 ? other : svc).call('audience.consent.revoke', { ...change, contactId }),
      ]);
    }
    const stored = await storedState(platform, live);
    expect(stored).to.have.length(20);
    expect(stored).to.deep.equal(await rebuiltState(platform, live));
    // A grant given in the same millisecond as a revocation never wins, whichever is processed first.
    expect(new Set(stored.map(({ state }) => state))).to.deep.equal(new Set(['revoked']));
    expect((await eventsOf(platform, live, 'audience.consent.')).length).to.equal(
      await recordCount(platform, live, true),
    );
  });

  it('agree after concurrent upserts create one contact and grant its consent', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await concurrently(() => svc.call('audience.contact.upsert', { email: 'ada@example.com', consents }));
    expect(await recordCount(platform, live)).to.equal(1);
    expect(await eventsOf(platform, live, 'audience.consent.granted')).to.have.length(1);
    expect(await storedState(platform, live)).to.deep.equal(await rebuiltState(platform, live));
  });

  it('agree after random concurrent grants and revokes on two nodes, with triggers that refuse to change a record', async function () {
    skipOnVitess(this, 'triggers');
    this.timeout(120_000);
    const { svc, live, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    const { database } = platform.running.services;
    for (const change of ['UPDATE', 'DELETE'])
      await database.run(
        `CREATE TRIGGER no_${change.toLowerCase()} BEFORE ${change} ON audience_consent_record FOR EACH ROW
         SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Consent records must not be changed.'`,
      );
    const topics = ['news', 'offers', 'events'];
    for (const key of topics) await topicOf(svc, { key });
    const contacts = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`);
    for (const email of contacts) await contactOf(svc, { email });
    const seed = Number(process.env['SVC_TEST_SEED'] ?? 20261121);
    const options = { clock: platform.clock, contacts, topics, nodes: [svc, other] };
    // A key may call 600 times a minute.
    for (let part = 0; part < 3; part += 1) {
      await makeRandomChanges({ ...options, seed: seed + part, batches: 8, callsPerBatch: 16 });
      platform.clock.advance(minutes(2));
    }
    const records = await recordCount(platform, live);
    const effective = await recordCount(platform, live, true);
    expect(records, 'enough records').to.be.above(150);
    expect(effective, 'enough effective records').to.be.above(30).and.below(records);
    expect(await storedState(platform, live), `seed ${seed}`).to.deep.equal(await rebuiltState(platform, live));
    const events = await eventsOf(platform, live, 'audience.consent.');
    expect(events, 'one event for each change').to.have.length(effective);
    expect(new Set(events.map(({ data }) => JSON.stringify(data)))).to.have.property('size', effective);
    // The triggers work.
    for (const sql of ["UPDATE audience_consent_record SET source = 'x'", 'DELETE FROM audience_consent_record']) {
      const refused = await database.run(`${sql} WHERE environment_id = ?`, [idBytes(live.id)]).then(
        () => 'done',
        (error: unknown) => String(error),
      );
      expect(refused).to.contain('Consent records must not be changed.');
    }
    expect(await recordCount(platform, live)).to.equal(records);
  });
});
