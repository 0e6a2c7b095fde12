import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { OutgoingKind, OutgoingPart } from '#core/kernel/outgoing/kind.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import type { MessageFields } from '../tables.js';
import { closeBroadcast, holdBroadcast, resumeBroadcast } from './change-status.js';
import type { BroadcastDriver } from './driver.js';

/**
 * Broadcasts that are being sent or are scheduled, for operators who restored a backup (core/kernel/outgoing). They are
 * held as broadcasts are, so that customers see why, and can resume or cancel them too.
 * @param cancelled writes the event of a cancelled broadcast
 */
export function broadcastsKind<B extends BroadcastFields, M extends MessageFields>(
  name: string,
  kind: BroadcastDriver<B, M>,
  cancelled: (context: Parameters<OutgoingKind['decide']>[0], broadcast: B) => Promise<void>,
): OutgoingKind {
  const { broadcasts, counts } = kind.tables;
  return {
    name,
    async parts(db, now) {
      const rows = await db.rows<{
        id: Buffer;
        environment_id: Buffer;
        status: Buffer;
        planned: Date;
        created_at: Date;
      }>(
        `SELECT id, environment_id, status, COALESCE(scheduled_at, created_at) AS planned, created_at
         FROM ${broadcasts.tableName} WHERE status IN ('scheduled', 'sending') OR (status = 'held' AND hold_reason = 'restored')
         ORDER BY id`,
      );
      return rows.map((row): OutgoingPart => {
        const status = row.status.toString();
        return {
          environmentId: idText(row.environment_id),
          isHeld: status === 'held',
          id: idText(row.id),
          lane: lanes.bulk,
          count: 1,
          due: status === 'sending' || row.planned <= now ? 1 : 0,
          oldest: row.created_at,
          newest: row.created_at,
        };
      });
    },
    async decide(context, decision, { id, environmentId }, due) {
      const { db, actIn, auditOwn } = context;
      // Counts are locked before their broadcasts, as everywhere.
      await db.rows(`SELECT broadcast_id FROM ${counts.tableName} WHERE broadcast_id = ? FOR UPDATE`, [idBytes(id)]);
      const [found] = await db.rows<object>(
        `SELECT ${broadcasts.columnList()} FROM ${broadcasts.tableName} WHERE id = ? FOR UPDATE`,
        [idBytes(id)],
      );
      const environment = await findEnvironment(db, environmentId);
      if (!found || !environment) return 0;
      const before = broadcasts.decode(found);
      const planned = before.scheduledAt ?? before.createdAt;
      if ((due.from && planned < due.from) || (due.before && planned >= due.before)) return 0;
      actIn(environment, before.activityId);
      if (decision === 'hold') {
        if (before.status !== 'scheduled' && before.status !== 'sending') return 0;
        const held = await holdBroadcast(context, kind, before, { reason: 'restored', environment });
        await kind.emitStatus(context, 'paused', held, environment);
        return 1;
      }
      if (before.status !== 'held' || before.holdReason !== 'restored') return 0;
      const after =
        decision === 'release'
          ? await resumeBroadcast(context, kind, before)
          : await closeBroadcast(context, kind, before);
      auditOwn(environment, {
        operation: `${kind.name}.broadcast.${decision === 'release' ? 'resume' : 'cancel'}`,
        subject: { type: 'broadcast', id },
        summary: `${decision === 'release' ? 'Resumed' : 'Cancelled'} the broadcast “${before.name}” of a restored backup.`,
        changes: changesBetween({ status: before.status }, { status: after.status }, ['status']),
      });
      if (decision === 'release') await kind.emitStatus(context, 'resumed', after, environment);
      else await cancelled(context, after);
      return 1;
    },
  };
}
