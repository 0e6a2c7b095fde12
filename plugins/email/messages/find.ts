import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { messages, type MessageRow } from '../tables/message.js';

/** @throws not_found for another environment's message, exactly as for one that does not exist */
export async function findMessage(
  db: Session,
  caller: TenantCaller,
  messageId: string,
  fail: ErrorMakers<'not_found', SvcError>,
): Promise<MessageRow> {
  const row = await db.findOne(messages, { id: messageId, environmentId: caller.environment.id });
  if (!row) throw fail.not_found({ thing: 'message', lookup: 'email.message.list' });
  return row;
}

/** The addresses that were left out of each of some messages, in the order they were named; an erased person has none. */
export async function suppressedOf(db: Session, messageIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (messageIds.length === 0) return found;
  const rows = await db.rows<{ message_id: Buffer; address: string }>(
    `SELECT message_id, address FROM email_recipient
     WHERE message_id IN (?) AND status = 'suppressed' AND address <> '' ORDER BY message_id, position`,
    [messageIds.map(idBytes)],
  );
  for (const row of rows) {
    const id = idText(row.message_id);
    found.set(id, [...(found.get(id) ?? []), row.address]);
  }
  return found;
}
