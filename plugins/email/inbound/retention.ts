import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import type { Services } from '#core/kernel/services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import type { Database } from '#core/runtime/database/session.js';
import { firstIdAt, idBytes } from '#core/runtime/id.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { settings } from '../deployment/settings.js';
import { inbounds } from '../tables/inbound.js';
import { removeContents } from './remove.js';

/** Received messages that one transaction deletes. Each may have 25 MiB of attachments. */
const messagesPerStep = 10;

/** Deletes the addresses of refused mail once its events are deleted, and received mail after its retention time. */
export const inboundJobs = ({
  database,
  clock,
  deployment,
}: Pick<Services, 'database' | 'clock' | 'deployment'>): RecurringJob[] => [
  {
    name: 'email.forget-refused-mail',
    every: '1 hour',
    isFinal: true,
    async run() {
      const oldest = shift(clock.now(), -deployment.settings.eventRetentionDays * dayMs);
      await deleteInBatches(
        database,
        "DELETE FROM email_inbound_address WHERE role = 'refused' AND inbound_id < ? ORDER BY inbound_id",
        [firstIdAt(oldest)],
      );
    },
  },
  {
    name: 'email.forget-received-mail',
    every: '1 hour',
    isFinal: true,
    async run() {
      const oldest = shift(clock.now(), -deployment.settingsOf(settings).inboundRetentionDays * dayMs);
      while ((await forgetReceived(database, firstIdAt(oldest))) === messagesPerStep);
    },
  },
];

/**
 * Deletes the oldest received messages, with the remains of messages that were deleted before.
 * @param before the first id that is kept
 * @returns how many were deleted
 */
function forgetReceived(database: Database, before: Buffer): Promise<number> {
  return database.transaction(async (db) => {
    const found = await db.rows<object>(
      `SELECT ${inbounds.columnList()} FROM email_inbound WHERE id < ? ORDER BY id LIMIT ? FOR UPDATE`,
      [before, messagesPerStep],
    );
    if (found.length === 0) return 0;
    const rows = found.map((row) => inbounds.decode(row));
    const ids = rows.map(({ id }) => idBytes(id));
    await db.run('DELETE FROM email_inbound_address WHERE inbound_id IN (?)', [ids]);
    await db.run('DELETE FROM email_inbound WHERE id IN (?)', [ids]);
    await removeContents(db, rows);
    return rows.length;
  });
}
