import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { tagValue } from '#core/messaging/stats/count.js';
import { dayOf } from '#core/runtime/clock.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { findMigrations, migrate } from '#core/runtime/database/migrate.js';
import { newId } from '#core/runtime/id.js';
import { createTestDatabase } from '#test/support/database.js';
import { sqlId } from '../support.js';

describe('counts of messages from before there were counts', () => {
  it('are made once, from the messages', async () => {
    const { url, drop } = await createTestDatabase();
    const database = await connectDatabase({ url, poolSize: 1 });
    try {
      const migrations = await findMigrations(fileURLToPath(new URL('../../../migrations/', import.meta.url)), [
        'email',
      ]);
      await migrate(
        database,
        migrations.filter(({ name }) => name < '0012'),
      );
      const environmentId = newId();
      const messages: [status: string, template: string | null, tag: string | null][] = [
        ['sent', 'welcome', 'plan=pro'],
        ['sent', null, 'plan=pro'],
        ['queued', 'welcome', null],
        ['failed', null, null],
      ];
      for (const [status, template, tag] of messages) {
        const id = sqlId(newId());
        await database.run(
          `INSERT INTO email_message (id, environment_id, status, is_system, from_address, reply_to, to_addresses, cc_addresses,
           bcc_addresses, headers, tags, template, created_at)
           VALUES (${id}, ${sqlId(environmentId)}, ?, 0, 'a@example.com', '[]', '[]', '[]', '[]', '{}', '{}', ?, '2026-11-20 23:59:59.999')`,
          [status, template],
        );
        if (tag !== null)
          await database.run(`INSERT INTO email_tag (environment_id, tag, message_id) VALUES (?, ?, ${id})`, [
            Buffer.from(environmentId.replaceAll('-', ''), 'hex'),
            tag,
          ]);
      }
      await migrate(database, migrations);
      const rows = await database.rows(
        `SELECT CAST(dimension AS CHAR) AS dimension, CAST(value AS CHAR) AS value, day, queued, sent, failed, suppressed, bounced, cancelled
         FROM email_stat ORDER BY dimension`,
      );
      const day = dayOf(new Date('2026-11-20T23:59:59.999Z'));
      const none = { queued: 0, sent: 0, failed: 0, suppressed: 0, bounced: 0, cancelled: 0 };
      expect(rows).to.deep.equal([
        { dimension: 'all', value: '', day, ...none, queued: 1, sent: 2, failed: 1 },
        { dimension: 'tag', value: tagValue(environmentId, 'plan=pro'), day, ...none, sent: 2 },
        { dimension: 'template', value: 'welcome', day, ...none, queued: 1, sent: 1 },
      ]);
    } finally {
      await database.close();
      await drop();
    }
  });
});
