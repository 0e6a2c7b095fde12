import { changesBetween } from '#core/kernel/audit/changes.js';
import type { FullContext } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import { idBytes } from '#core/runtime/id.js';
import type { MessageFields } from '../tables.js';
import { holdBroadcast, resumeBroadcast } from './change-status.js';
import type { BroadcastDriver } from './driver.js';
import type { BroadcastFields } from '../broadcast-tables.js';

/**
 * What billing requires of each channel when an account does not pay its invoices. Test environments are not affected.
 */
export interface BroadcastHolds {
  /** Holds every broadcast of the account that is being sent or scheduled, with the reason `past_due`. */
  holdForPastDue(accountId: string): Promise<void>;
  /** Continues broadcasts that were held for `past_due`: scheduled ones at their time. */
  resumeAfterPayment(accountId: string): Promise<void>;
}

/** A channel that is not enabled has no broadcasts. */
export const noBroadcastHolds = (): BroadcastHolds => ({
  holdForPastDue: () => Promise.resolve(),
  resumeAfterPayment: () => Promise.resolve(),
});

/** Provides a channel's BroadcastHolds: `provide(emailBroadcastHolds, holdsOf(emailBroadcasts))`. */
export const holdsOf =
  <B extends BroadcastFields, M extends MessageFields>(kind: BroadcastDriver<B, M>) =>
  (context: FullContext): BroadcastHolds => ({
    async holdForPastDue(accountId) {
      for (const environment of await liveEnvironments(context.db, accountId))
        for (const broadcast of await lockAll(context, kind, environment, "status IN ('sending', 'scheduled')"))
          await emit(
            context,
            kind,
            'paused',
            await holdBroadcast(context, kind, broadcast, { reason: 'past_due', environment }),
            environment,
          );
    },
    async resumeAfterPayment(accountId) {
      for (const environment of await liveEnvironments(context.db, accountId))
        for (const broadcast of await lockAll(
          context,
          kind,
          environment,
          "status = 'held' AND hold_reason = 'past_due'",
        ))
          await resume(context, kind, broadcast, environment);
    },
  });

async function resume<B extends BroadcastFields, M extends MessageFields>(
  context: FullContext,
  kind: BroadcastDriver<B, M>,
  broadcast: B,
  environment: Environment,
): Promise<void> {
  if (environment.closedAt) {
    await holdBroadcast(context, kind, broadcast, { reason: 'account_closed', environment });
    return;
  }
  const resumed = await resumeBroadcast(context, kind, broadcast);
  context.auditOwn(environment, {
    operation: `${kind.name}.broadcast.resume`,
    subject: { type: 'broadcast', id: broadcast.id },
    summary: `Resumed the broadcast “${broadcast.name}”: the account is no longer past due.`,
    changes: changesBetween(broadcast, resumed, ['status', 'holdReason']),
  });
  await emit(context, kind, 'resumed', resumed, environment);
}

/** The event has no call behind it: it refers only to the audit record of the current transaction. */
const emit = <B extends BroadcastFields, M extends MessageFields>(
  context: FullContext,
  kind: BroadcastDriver<B, M>,
  event: 'paused' | 'resumed',
  broadcast: B,
  environment: Environment,
): Promise<void> => kind.emitStatus(context, event, { ...broadcast, activityId: context.startedBy() }, environment);

async function lockAll<B extends BroadcastFields, M extends MessageFields>(
  { db }: FullContext,
  { tables: { broadcasts } }: BroadcastDriver<B, M>,
  { id }: Environment,
  condition: string,
): Promise<B[]> {
  const rows = await db.rows<object>(
    `SELECT ${broadcasts.columnList()} FROM ${broadcasts.tableName} WHERE environment_id = ? AND ${condition} ORDER BY id FOR UPDATE`,
    [idBytes(id)],
  );
  return rows.map((row) => broadcasts.decode(row));
}
