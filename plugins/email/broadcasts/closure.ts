import type { EventConsumer } from '#core/kernel/events/consumer.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { holdBroadcast } from '#core/messaging/broadcasts/change-status.js';
import { idBytes } from '#core/runtime/id.js';
import { broadcasts } from '../tables/broadcast.js';
import { emailBroadcasts } from './kind.js';

/**
 * Holds the broadcasts of an account that was closed. They stay held when it is open again, because what they say may be out of date by
 * then. Until this has run, workers skip them by the closure itself (core/messaging/recheck.ts).
 */
export const holdWhenClosed: EventConsumer = {
  name: 'email.broadcast-closure',
  types: ['account.closed'],
  async handle(events, context) {
    const { db } = context;
    for (const { environmentId, createdAt, activityId } of events) {
      const rows = await db.rows<object>(
        `SELECT ${broadcasts.columnList('b')} FROM email_broadcast b JOIN svc_environment e ON e.id = b.environment_id
         WHERE e.account_id = (SELECT account_id FROM svc_environment WHERE id = ?) AND b.status = 'sending' AND b.released_at <= ?
         ORDER BY b.id FOR UPDATE`,
        [idBytes(environmentId), createdAt],
      );
      for (const row of rows.map((each) => broadcasts.decode(each))) {
        const environment = await findEnvironment(db, row.environmentId);
        if (!environment) continue;
        const held = await holdBroadcast(
          context,
          emailBroadcasts,
          { ...row, activityId: activityId ?? row.activityId },
          'account_closed',
        );
        await emailBroadcasts.emitStatus(context, 'paused', held, environment);
      }
    }
  },
};
