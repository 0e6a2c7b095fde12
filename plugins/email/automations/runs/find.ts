import { refusalOf } from '#core/kernel/errors/common.js';
import type { Context } from '#core/kernel/context.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { contacts } from '#plugins/audience/ports.js';
import { automations, type AutomationRow, type RunRow } from '../../tables/automation.js';

/** The automations of the given runs, by id. */
export async function automationsOf(
  db: Pick<ReadSession, 'rows'>,
  rows: readonly Pick<RunRow, 'automationId'>[],
): Promise<ReadonlyMap<string, AutomationRow>> {
  const ids = [...new Set(rows.map(({ automationId }) => automationId))];
  if (ids.length === 0) return new Map();
  const found = await db.rows<object>(`SELECT ${automations.columnList()} FROM email_automation WHERE id IN (?)`, [
    ids.map(idBytes),
  ]);
  return new Map(found.map((row) => automations.decode(row)).map((row) => [row.id, row]));
}

/** @throws not_found unless the environment has the contact */
export async function requireContact(
  { use }: Pick<Context, 'use'>,
  environmentId: string,
  contactId: string,
): Promise<void> {
  const found = await use(contacts).facts(environmentId, [contactId]);
  if (!found.has(contactId)) throw refusalOf.not_found({ thing: 'contact', lookup: 'audience.contact.list' });
}
