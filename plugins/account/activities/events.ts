import type { Environment } from '#core/kernel/caller/caller.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import { eventColumns, presentEvent, type EventRow, type EventValue } from '#core/kernel/events/resource.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';

/** One call that wrote more (it reopened an account with a long queue) has its first ones here and all in the event log. */
export const mostEvents = 1_000;

/**
 * The events that an activity wrote, oldest first, as far as `environment` may see them: its own, and account-level ones wherever
 * they were written. An account-wide activity is seen from every environment, while what it did to another one's messages or
 * users is that environment's alone.
 */
export async function eventsOf(db: Session, environment: Environment, activityId: string): Promise<EventValue[]> {
  const rows = await db.rows<EventRow & EnvironmentColumns>(
    `SELECT ${eventColumns}, ${environmentColumns}
     FROM svc_event v FORCE INDEX (activity) JOIN svc_environment e ON e.id = v.environment_id
     WHERE v.activity_id = ? AND e.account_id = ?
       AND (v.environment_id = ? OR v.type LIKE 'account.%' OR v.type LIKE 'billing.%')
     ORDER BY v.id LIMIT ?`,
    [idBytes(activityId), idBytes(environment.accountId), idBytes(environment.id), mostEvents],
  );
  return rows.map((row) => presentEvent(row, environmentFrom(row)));
}
