import { expect } from 'chai';
import { definePlugin, type Plugin } from '#core/kernel/plugin.js';
import { checkTables } from '#core/platform/platform.js';
import { idColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';
import { byPartition } from '#test/support/use-work.js';
import { usePlatform } from '#test/support/platform.js';
import { rejection } from '#test/support/use-database.js';

const notes = (...names: string[]): Plugin =>
  definePlugin({
    name: 'notes',
    summary: 'Notes.',
    tables: names.map((name) => defineTable(name, { id: idColumn() })),
    operations: [],
    events: {},
    errors: {},
  });
const queue = (table: string) => ({
  name: 'notes.reminders',
  table,
  concurrency: 1,
  excludedPartitions: [],
  turnsOf: byPartition,
  perform: () => Promise.resolve(),
});

describe('A start without a table', () => {
  const platform = usePlatform();

  it('is refused, naming each missing table, its plugin, and where it is created', async () => {
    const { database } = platform.running.services;
    const error = await rejection(checkTables(database, [notes('notes_note', 'svc_environment', 'notes_word')], []));
    expect(error).to.have.property('name', 'StartError');
    expect(error)
      .to.have.property('message')
      .that.contains('The database has no table notes_note, which the plugin notes uses.')
      .and.contains('The database has no table notes_word, which the plugin notes uses.')
      .and.contains('migrations/<product>/')
      .and.not.contains('svc_environment');
  });

  it('is refused where a work queue has none, because the queues are looked through together', async () => {
    const error = await rejection(checkTables(platform.running.services.database, [], [queue('notes_reminder')]));
    expect(error)
      .to.have.property('message')
      .that.contains('The database has no table notes_reminder, which the work queue notes.reminders uses.');
  });

  it('is not refused with the tables of the migrations', async () => {
    const { database } = platform.running.services;
    await checkTables(database, platform.running.registry.plugins, [queue('svc_erasure_queue')]);
  });

  it('serves nothing until the table is there again', async () => {
    const { database } = platform.running.services;
    await database.run('RENAME TABLE developers_webhook TO developers_webhook_away');
    const error = await rejection(platform.secondNode());
    await database.run('RENAME TABLE developers_webhook_away TO developers_webhook');
    expect(error)
      .to.have.property('message')
      .that.contains('The database has no table developers_webhook, which svc created there.');
    await (await platform.secondNode()).stop();
  });

  it('of its own names it too, without a stack', async () => {
    const { database } = platform.running.services;
    for (const table of ['svc_root_key', 'svc_setting']) {
      await database.run(`RENAME TABLE ${table} TO moved_away`);
      const error = await rejection(platform.secondNode());
      await database.run(`RENAME TABLE moved_away TO ${table}`);
      expect(error).to.have.property('name', 'StartError');
      expect(error)
        .to.have.property('message')
        .that.contains(`The database has no table ${table}, which svc created there.`)
        .and.contains('Restore the whole backup');
    }
  });
});
