import { expect } from 'chai';
import { largestTables, sampleTableSizes, tablesText } from '#core/runtime/database/server/table-sizes.js';
import { shift } from '#core/runtime/clock.js';
import { days, hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { announced } from '#test/config/announced.js';

describe('The sizes of tables', () => {
  const platform = usePlatform();
  const samples = () => platform.count('svc_table_size');

  it('are known with their growth a day from stored samples, of which each day has few', async () => {
    const { database, clock } = platform.running.services;
    const now = clock.now();
    const before = await largestTables(database, now);
    expect(before).to.have.length(5);
    expect(before.map(({ bytes }) => bytes)).to.deep.equal(before.map(({ bytes }) => bytes).toSorted((a, b) => b - a));
    expect(before.every(({ bytesPerDay }) => bytesPerDay === null)).to.equal(true);
    await sampleTableSizes(database, shift(now, -days(3)));
    await sampleTableSizes(database, shift(now, -days(3) + hours(1)));
    const ofOneDay = await samples();
    expect(ofOneDay).to.be.within(5, 40);
    await database.run('UPDATE svc_table_size SET bytes = bytes - 3000');
    const after = await largestTables(database, now);
    for (const { table, bytesPerDay } of after) expect(bytesPerDay, table).to.be.at.least(1_000);
    // A table that was not there is known once a day of it is.
    await database.run('DELETE FROM svc_table_size WHERE table_name = ?', [after[0]?.table ?? '']);
    expect((await largestTables(database, now))[0]?.bytesPerDay).to.equal(null);
    for (let day = 0; day < 40; day += 1) await sampleTableSizes(database, shift(now, days(day)));
    expect(await samples()).to.be.at.most(20 * 32);
  });

  it('are in the output of the start, for people', () => {
    const [tables] = [
      [
        { table: 'svc_event', bytes: 3 * 1024 ** 3, rows: 9, bytesPerDay: 5.5 * 1024 ** 2 },
        { table: 'email_message', bytes: 2.5 * 1024 ** 2, rows: 9, bytesPerDay: -2_048 },
        { table: 'svc_limit', bytes: 16_384, rows: 0, bytesPerDay: null },
      ],
    ];
    const text =
      'svc_event 3.0 GiB (+5.5 MiB a day), email_message 2.5 MiB (-2 KiB a day), svc_limit 16 KiB (growth unknown)';
    expect(tablesText(tables)).to.equal(text);
    expect(announced(platform.running, tables)).to.include(`  tables     the largest: ${text}`);
  });
});
