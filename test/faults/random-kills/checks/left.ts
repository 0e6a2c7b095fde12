import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { eventually } from '#test/support/eventually.js';
import type { Evidence } from './check.js';

/** Work that is due later than this, such as the next look at a domain, is not waited for. */
const horizon = 'UTC_TIMESTAMP(3) + INTERVAL 10 MINUTE';
/**
 * Leases last 30 s, a text whose outcome is not known is looked up after another 30 s, and retries wait one and five
 * minutes.
 */
const emptyWithinMs = 480_000;

/** All tables of work queues. */
async function queueTables(db: ConnectedDatabase): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = 'lease_token' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** How much work each queue has, and how many events wait; without those that have none. */
async function workLeft(db: ConnectedDatabase): Promise<Record<string, number>> {
  const counts = [
    "SELECT 'svc_event' AS name, COUNT(*) AS waiting FROM svc_event WHERE pending = 1",
    ...(await queueTables(db)).map(
      (table) => `SELECT '${table}', COUNT(*) FROM ${table} WHERE leased = 1 OR due_at < ${horizon}`,
    ),
  ];
  const rows = await db.rows<{ name: string; waiting: number }>(counts.join(' UNION ALL '));
  return Object.fromEntries(rows.filter(({ waiting }) => waiting > 0).map(({ name, waiting }) => [name, waiting]));
}

/** Waits until no work is left. @returns how long it took; undefined if work was left in the end, as a violation */
export async function settle({ db, violations }: Evidence): Promise<number | undefined> {
  const begun = Date.now();
  let quiet = 0;
  try {
    // Work moves from one table to the next, so that one look may miss it.
    await eventually(
      async () => {
        quiet = Object.keys(await workLeft(db)).length === 0 ? quiet + 1 : 0;
        return quiet === 4;
      },
      'empty queues',
      emptyWithinMs,
      250,
    );
    return Date.now() - begun;
  } catch {
    violations.add('Nothing is stuck', `After ${emptyWithinMs / 1000} s: ${JSON.stringify(await workLeft(db))}`);
    return undefined;
  }
}

/** No message, import or stored answer is in a state that only a crash can leave. */
export async function checkLeft({ db, violations }: Evidence): Promise<void> {
  const states = [
    "SELECT 'email_message' AS name, COUNT(*) AS found FROM email_message WHERE status = 'queued' AND (send_after IS NULL OR send_after < UTC_TIMESTAMP(3))",
    "SELECT 'sms_message', COUNT(*) FROM sms_message WHERE status = 'queued' AND (send_after IS NULL OR send_after < UTC_TIMESTAMP(3))",
    "SELECT 'email_broadcast', COUNT(*) FROM email_broadcast WHERE status IN ('sending', 'held')",
    "SELECT 'audience_import', COUNT(*) FROM audience_import WHERE status IN ('queued', 'running', 'failed')",
    "SELECT 'svc_idempotency', COUNT(*) FROM svc_idempotency WHERE answer IS NULL AND lease_until < UTC_TIMESTAMP(3) - INTERVAL 5 MINUTE",
    "SELECT 'svc_event_batch', COUNT(*) FROM svc_event_batch",
  ];
  const rows = await db.rows<{ name: string; found: number }>(states.join(' UNION ALL '));
  for (const { name, found } of rows)
    if (found > 0) violations.add('Nothing is stuck', `${found} rows of ${name} are not in a final state.`);
}
