import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { housekeeping } from '#core/platform/housekeeping.js';
import { days } from '#test/support/clock.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { rejection } from '#test/support/use-database.js';
import { runScript } from '#test/support/run-script.js';
import { needPlainServer } from '#test/support/vitess.js';

describe('npm run partition', () => {
  needPlainServer('a list of connections without those of vttablet');
  const platform = usePlatform({
    database: 'empty',
    settings: () => ({ SVC_EVENT_RETENTION_DAYS: '30', SVC_AUDIT_RETENTION_DAYS: '60' }),
  });

  const settings = (): Record<string, string> => ({
    SVC_DATABASE_URL: platform.databaseUrl,
    SVC_SECRET_KEY: platform.secretKey,
    SVC_EVENT_RETENTION_DAYS: '30',
    SVC_AUDIT_RETENTION_DAYS: '60',
  });
  const run = (...words: string[]): Promise<{ code: number | null; printed: string }> =>
    runScript('scripts/partition.ts', words, settings());

  /** Runs the hourly jobs. */
  const forget = async (): Promise<void> => {
    for (const job of housekeeping(platform.running.services))
      if (['svc.forget-events', 'svc.forget-audit'].includes(job.name)) await job.run();
  };

  /** Names and rows of the partitions. */
  const partitionsOf = async (table: string): Promise<Map<string, number>> => {
    const { database } = platform.running.services;
    const names = await database.rows<{ name: string | null }>(
      `SELECT partition_name AS name FROM information_schema.partitions
       WHERE table_schema = DATABASE() AND table_name = ? ORDER BY partition_ordinal_position`,
      [table],
    );
    const found = new Map<string, number>();
    for (const { name } of names)
      if (name !== null) found.set(name, await platform.count(`${table} PARTITION (${name})`));
    return found;
  };

  /** Moves the rows of a table some days into the past, with the time in their ids. */
  const age = async (table: string, by: number): Promise<void> => {
    await platform.running.services.database.run(
      `UPDATE ${table} SET id = CONCAT(UNHEX(LPAD(HEX(CONV(HEX(LEFT(id, 6)), 16, 10) - ?), 12, '0')), SUBSTRING(id, 7)),
         created_at = created_at - INTERVAL ? DAY`,
      [days(by), by],
    );
  };

  const typesOf = async ({ svc }: TestAccount): Promise<string[]> => {
    const { events } = await svc.call('developers.event.list', { types: ['account.updated'] });
    return events.map(({ type }) => type);
  };

  it('refuses to run beside svc, and changes nothing', async () => {
    const { code, printed } = await run();
    expect(code).to.equal(1);
    expect(printed).to.match(
      /svc or another client uses the database: it has \d+ other connections?\.\n {2}Stop all nodes of svc/,
    );
    expect([...(await partitionsOf('svc_event')).keys()]).to.deep.equal([]);
  });

  it('divides the tables with their rows; a repeat changes nothing', async () => {
    const account = await platform.account();
    const { activityId } = await account.svc.envelope('account.update', { name: 'Before' });
    await platform.settled();
    const before = await account.svc.call('developers.event.list', {});
    const printed: string[] = [];
    await platform.restart({}, async () => {
      for (let time = 0; time < 2; time += 1) {
        const ran = await run();
        expect(ran.code, ran.printed).to.equal(0);
        printed.push(ran.printed);
      }
    });
    expect(printed[0]).to.include('svc_event is divided into partitions of 7 days.');
    expect(printed[0]).to.include('svc_activity is divided into partitions of 7 days.');
    expect(printed[1]).to.include('svc_event was divided before; nothing was changed.');
    expect(await account.svc.call('developers.event.list', {})).to.deep.equal(before);
    expect((await account.svc.call('account.activity.get', { activityId })).activity.operation).to.equal(
      'account.update',
    );
    const names = [...(await partitionsOf('svc_event')).keys()];
    expect(names[0]).to.match(/^undivided_\d{8}$/);
    expect(names.slice(1, -1))
      .to.have.length(2)
      .and.satisfy((all: string[]) => all.every((name) => /^before_\d{8}$/.test(name)));
    expect(names.at(-1)).to.equal('later');
  });

  it('continues after an interruption, until which svc does not start', async () => {
    const account = await platform.account();
    await account.svc.call('account.update', { name: 'Interrupted' });
    await platform.settled();
    const records = await platform.count('svc_activity');
    await platform.restart({}, async () => {
      const database = await connectDatabase({ url: platform.databaseUrl, poolSize: 1 });
      // As after a crash between the two steps that move the rows.
      await database.run('CREATE TABLE svc_activity_divided LIKE svc_activity');
      await database.run('ALTER TABLE svc_activity REMOVE PARTITIONING');
      await database.run('RENAME TABLE svc_activity TO svc_activity_undivided');
      await database.close();
      const refused = await runScript('scripts/migrate.ts', [], settings());
      expect(refused.code).to.equal(1);
      expect(refused.printed).to.include(
        'npm run partition was interrupted: the database has the table svc_activity_undivided.\n  Run "npm run partition" again',
      );
      const { code, printed } = await run();
      expect(code, printed).to.equal(0);
    });
    const [first] = await partitionsOf('svc_activity');
    expect(first?.[1]).to.equal(records);
  });

  it('drops a partition when all of its rows have expired, and adds the next ones in time', async () => {
    const account = await platform.account();
    await account.svc.call('account.update', { name: 'Old' });
    await platform.settled();
    const [first = ''] = (await partitionsOf('svc_event')).keys();
    // Rows of the first partition expire one by one, as before.
    await age('svc_event', 29);
    await forget();
    expect(await typesOf(account)).to.have.length(1);
    await age('svc_event', 2);
    await forget();
    expect(await typesOf(account)).to.deep.equal([]);
    expect((await partitionsOf('svc_event')).get(first)).to.equal(0);

    platform.clock.advance(days(8));
    await account.svc.call('account.update', { name: 'Next week' });
    await forget();
    const later = [...(await partitionsOf('svc_event')).keys()];
    expect(later).to.have.length(6);
    platform.clock.advance(days(29));
    await forget();
    expect([...(await partitionsOf('svc_event')).keys()]).to.not.include(first);
  });

  it('changes nothing while a transaction holds the table, and does it an hour later', async () => {
    const names = async (): Promise<string[]> => [...(await partitionsOf('svc_event')).keys()];
    const before = await names();
    platform.clock.advance(days(8));
    const gate = createGate();
    gate.close();
    const holder = platform.running.services.database.transaction(async (db) => {
      await db.rows('SELECT id FROM svc_event LIMIT 1');
      await gate.pass();
    });
    await gate.reached(1);
    expect(String(await rejection(forget()))).to.match(/lock wait timeout/i);
    expect(await names()).to.deep.equal(before);
    gate.open();
    await holder;
    await forget();
    expect(await names()).to.not.deep.equal(before);
  });
});
