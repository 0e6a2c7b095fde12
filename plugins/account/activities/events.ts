import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { productOf, readableProducts } from '#core/kernel/caller/permissions.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import { eventColumns, presentEvent, type EventRow, type EventValue } from '#core/kernel/events/resource.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { readsWholeAccount } from './page.js';

/**
 * The largest number of events listed with an activity. The event log has all of them. Reopening an account can write
 * more.
 */
export const maxEvents = 1_000;

/**
 * The events that an activity caused and that the caller may see, oldest first: those of its environment, and
 * account-level events of the account's other environments if it may read them. An account-wide activity is visible in
 * every environment, but events about another environment's messages or users are not. Events of products that the
 * caller may not read are left out.
 */
export async function eventsOf(
  db: Session,
  caller: TenantCaller,
  activityId: string,
  enabled: readonly string[],
): Promise<EventValue[]> {
  const { environment } = caller;
  const rows = await db.rows<EventRow & EnvironmentColumns>(
    `SELECT ${eventColumns}, ${environmentColumns}
     FROM svc_event v FORCE INDEX (activity) JOIN svc_environment e ON e.id = v.environment_id
     WHERE v.activity_id = ? AND e.account_id = ?
       AND (v.environment_id = ? OR (? AND (v.type LIKE 'account.%' OR v.type LIKE 'billing.%')))
     ORDER BY v.id LIMIT ?`,
    [
      idBytes(activityId),
      idBytes(environment.accountId),
      idBytes(environment.id),
      readsWholeAccount(caller) ? 1 : 0,
      maxEvents,
    ],
  );
  const products = readableProducts(caller.permissions, enabled);
  const readable = rows.filter(({ type }) => products === null || products.includes(productOf(type.toString())));
  return readable.map((row) => presentEvent(row, environmentFrom(row)));
}
