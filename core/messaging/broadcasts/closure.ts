import type { EventConsumer } from '#core/kernel/events/consumer.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { MessageFields } from '../tables.js';
import { holdBroadcast } from './change-status.js';
import type { BroadcastDriver } from './driver.js';
import type { BroadcastFields } from '../broadcast-tables.js';

/**
 * Holds a channel's broadcasts of an account that was closed. They stay held after it is reopened, because their
 * content may be out of date by then. Until this has run, workers skip them because of the closure itself (recheck.ts).
 * A broadcast whose audience is being counted is also held: otherwise a worker that counts it would start it, and it
 * would continue when the account is reopened.
 */
export const holdWhenClosed = <B extends BroadcastFields, M extends MessageFields>(
  kind: BroadcastDriver<B, M>,
): EventConsumer => ({
  name: `${kind.name}.broadcast-closure`,
  types: ['account.closed'],
  async handle(events, context) {
    const { db, clock } = context;
    const { broadcasts } = kind.tables;
    for (const { environmentId, createdAt, activityId } of events) {
      const rows = await db.rows<object>(
        `SELECT ${broadcasts.columnList('b')} FROM ${broadcasts.tableName} b JOIN svc_environment e ON e.id = b.environment_id
         WHERE e.account_id = (SELECT account_id FROM svc_environment WHERE id = ?) AND b.released_at <= ?
         AND (b.status = 'sending' OR (b.status = 'scheduled' AND (b.scheduled_at IS NULL OR b.scheduled_at <= ?)))
         ORDER BY b.id FOR UPDATE`,
        [idBytes(environmentId), createdAt, clock.now()],
      );
      for (const row of rows.map((each) => broadcasts.decode(each))) {
        const environment = await findEnvironment(db, row.environmentId);
        if (!environment) continue;
        const caused = { ...row, activityId: activityId ?? row.activityId };
        const held = await holdBroadcast(context, kind, caused, { reason: 'account_closed', environment });
        await kind.emitStatus(context, 'paused', held, environment);
      }
    }
  },
});

/**
 * Whether the time of a scheduled broadcast passed while its account was closed. It is then held, like one that was
 * being sent.
 */
export async function wasDueWhileClosed(
  db: Pick<ReadSession, 'rows'>,
  { environmentId, scheduledAt, releasedAt }: BroadcastFields,
): Promise<boolean> {
  const rows = await db.rows('SELECT id FROM svc_environment WHERE id = ? AND reopened_at > ? AND reopened_at > ?', [
    idBytes(environmentId),
    scheduledAt ?? releasedAt,
    releasedAt,
  ]);
  return rows.length > 0;
}
