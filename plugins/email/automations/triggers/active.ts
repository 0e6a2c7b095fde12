import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { automations, type AutomationRow } from '../../tables/automation.js';

/** The active automations of the given environments that one of these events triggers. */
export async function activeAutomations(
  db: Session,
  environmentIds: readonly string[],
  events: readonly string[],
): Promise<AutomationRow[]> {
  if (environmentIds.length === 0 || events.length === 0) return [];
  const rows = await db.rows<object>(
    `SELECT ${automations.columnList()} FROM email_automation
     WHERE environment_id IN (?) AND status = 'active' AND trigger_event IN (?) ORDER BY id`,
    [environmentIds.map(idBytes), events.map((name) => Buffer.from(name))],
  );
  return rows.map((row) => automations.decode(row));
}
