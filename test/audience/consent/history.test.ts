import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import { idBytes } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { contactOf, newsOf, racers, topicOf } from '../support.js';
import { keptState, rebuiltState, recordCount } from './rebuild.js';
import { storm } from './storm.js';

const root = new URL('../../../', import.meta.url);

/** Every statement of SQL in the sources that would take a consent record back. */
async function takingBack(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['core', 'plugins', 'migrations', 'scripts', 'config']) {
    const names = await readdir(new URL(`${folder}/`, root), { recursive: true });
    for (const name of names.filter((each) => each.endsWith('.ts'))) {
      const source = await readFile(new URL(`${folder}/${name}`, root), 'utf8');
      if (takesBack(source)) found.push(`${folder}/${name}`);
    }
  }
  return found;
}

/** By SQL, or through a session by the table's EntitySchema. */
const takesBack = (source: string): boolean =>
  /\b(?:UPDATE|DELETE\s+FROM|REPLACE(?:\s+INTO)?|TRUNCATE(?:\s+TABLE)?|DROP\s+TABLE(?:\s+IF\s+EXISTS)?|ALTER\s+TABLE)\s+`?audience_consent_record\b/i.test(
    source,
  ) ||
  /audience_consent_record\b[^;`']*ON\s+DUPLICATE\s+KEY/i.test(source) ||
  /\.(?:update|remove|delete|save|upsert)\(\s*consentRecords\b/.test(source);

describe('Consent: the records and the state kept beside them', () => {
  const platform = usePlatform();

  it('are led by the records alone: what no statement of the product updates or deletes', async () => {
    expect(await takingBack()).to.deep.equal([]);
    // The search sees what it looks for.
    for (const wrong of [
      'UPDATE audience_consent_record SET state = 1',
      'delete from `audience_consent_record` where id = ?',
      'REPLACE INTO audience_consent_record VALUES (1)',
      'INSERT INTO audience_consent_record (id) VALUES (?) ON DUPLICATE KEY UPDATE id = id',
      'await db.update(consentRecords, { id }, { state })',
      'await db.remove(\n  consentRecords,',
    ])
      expect(takesBack(wrong), wrong).to.equal(true);
    expect(takesBack('INSERT INTO audience_consent_record (id) VALUES (?)')).to.equal(false);
  });

  it('agree after two racing changes, twenty times over, on two nodes', async () => {
    const { svc, live, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    await topicOf(svc);
    const whom = { topic: 'news', channel: 'email' as const, source: 'race' };
    for (let round = 0; round < 20; round += 1) {
      const { id: contactId } = await contactOf(svc, { email: `c${round}@example.com` });
      if (round % 2) await svc.call('audience.consent.grant', { ...whom, contactId });
      platform.clock.advance(1);
      await Promise.all([
        (round % 4 < 2 ? svc : other).call('audience.consent.grant', { ...whom, contactId }),
        (round % 4 < 2 ? other : svc).call('audience.consent.revoke', { ...whom, contactId }),
      ]);
    }
    const kept = await keptState(platform, live);
    expect(kept).to.have.length(20);
    expect(kept).to.deep.equal(await rebuiltState(platform, live));
    // A yes of the very moment of the no never wins, whichever came first.
    expect(new Set(kept.map(({ state }) => state))).to.deep.equal(new Set(['revoked']));
    expect((await newsOf(platform, live, 'audience.consent.')).length).to.equal(
      await recordCount(platform, live, true),
    );
  });

  it('agree when two racers make one contact and say yes for it', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await racers(() => svc.call('audience.contact.upsert', { email: 'ada@example.com', consents }));
    expect(await recordCount(platform, live)).to.equal(1);
    expect(await newsOf(platform, live, 'audience.consent.granted')).to.have.length(1);
    expect(await keptState(platform, live)).to.deep.equal(await rebuiltState(platform, live));
  });

  it('agree after a storm of grants and revokes on two nodes, in a database that refuses to change a record', async function () {
    this.timeout(120_000);
    const { svc, live, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    const { database } = platform.running.services;
    for (const change of ['UPDATE', 'DELETE'])
      await database.run(
        `CREATE TRIGGER no_${change.toLowerCase()} BEFORE ${change} ON audience_consent_record FOR EACH ROW
         SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'A consent record was to be changed.'`,
      );
    const topics = ['news', 'offers', 'events'];
    for (const key of topics) await topicOf(svc, { key });
    const contacts = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`);
    for (const email of contacts) await contactOf(svc, { email });
    const seed = Number(process.env['SVC_TEST_SEED'] ?? 20261121);
    const weather = { clock: platform.clock, contacts, topics, nodes: [svc, other] };
    // A key may call 600 times a minute.
    for (let part = 0; part < 3; part += 1) {
      await storm({ ...weather, seed: seed + part, gusts: 8, callsPerGust: 16 });
      platform.clock.advance(minutes(2));
    }
    const records = await recordCount(platform, live);
    const effective = await recordCount(platform, live, true);
    expect(records, 'a storm that said something').to.be.above(150);
    expect(effective, 'a storm that changed something').to.be.above(30).and.below(records);
    expect(await keptState(platform, live), `seed ${seed}`).to.deep.equal(await rebuiltState(platform, live));
    const news = await newsOf(platform, live, 'audience.consent.');
    expect(news, 'one event for each change').to.have.length(effective);
    expect(new Set(news.map(({ data }) => JSON.stringify(data)))).to.have.property('size', effective);
    // The triggers refuse indeed.
    for (const sql of ["UPDATE audience_consent_record SET source = 'x'", 'DELETE FROM audience_consent_record']) {
      const refused = await database.run(`${sql} WHERE environment_id = ?`, [idBytes(live.id)]).then(
        () => 'done',
        (error: unknown) => String(error),
      );
      expect(refused).to.contain('A consent record was to be changed.');
    }
    expect(await recordCount(platform, live)).to.equal(records);
  });
});
