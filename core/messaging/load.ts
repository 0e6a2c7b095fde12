import { idList } from '#core/runtime/database/literal.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Outcome, Session } from '#core/runtime/database/session.js';
import type { MessageDriver, LoadedMessage } from './driver.js';
import type { MessageFields, RecipientRow } from './tables.js';

type Source<M extends MessageFields> = Pick<MessageDriver<M>, 'tables'>;

/**
 * Reads messages with their recipients, in one round trip.
 * @param lock locks the messages before it reads the recipients, so that everything it returns stays true until COMMIT
 * @returns by id; messages that are gone are absent
 */
export async function loadMessages<M extends MessageFields>(
  db: Pick<Session, 'batch'>,
  { tables }: Source<M>,
  ids: readonly string[],
  { lock = false } = {},
): Promise<Map<string, LoadedMessage<M>>> {
  if (ids.length === 0) return new Map();
  const { messages, recipients } = tables;
  const keys = idList(ids);
  const [messageRows, recipientRows] = await db.batch(
    `SELECT ${messages.columnList()} FROM ${messages.tableName} WHERE id IN (?)${lock ? ' ORDER BY id FOR UPDATE' : ''};
     SELECT ${recipients.columnList()} FROM ${recipients.tableName} WHERE message_id IN (?) ORDER BY message_id, position`,
    [keys, keys],
  );
  const byMessage = new Map<string, RecipientRow[]>();
  for (const row of rowsOf(recipientRows).map(recipients.decode)) {
    const known = byMessage.get(row.messageId);
    if (known) known.push(row);
    else byMessage.set(row.messageId, [row]);
  }
  return new Map(
    rowsOf(messageRows).map((row) => {
      const message = messages.decode(row);
      return [message.id, { message, recipients: byMessage.get(message.id) ?? [] }];
    }),
  );
}

/** The rows that one statement of a batch returned. */
export const rowsOf = (result: object[] | Outcome | undefined): object[] => (Array.isArray(result) ? result : []);

/** The addresses that each of some messages was not sent to, in their order; an erased person's is not among them. */
export async function suppressedAddresses<M extends MessageFields>(
  db: Pick<Session, 'rows'>,
  { tables }: Source<M>,
  messageIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (messageIds.length === 0) return found;
  const rows = await db.rows<{ message_id: Buffer; address: string }>(
    `SELECT message_id, address FROM ${tables.recipients.tableName}
     WHERE message_id IN (?) AND status = 'suppressed' AND address <> '' ORDER BY message_id, position`,
    [messageIds.map(idBytes)],
  );
  for (const row of rows) {
    const id = idText(row.message_id);
    found.set(id, [...(found.get(id) ?? []), row.address]);
  }
  return found;
}

/** The same, of recipients that are loaded. */
export const suppressedOf = (recipients: readonly RecipientRow[]): string[] =>
  recipients.flatMap(({ status, address }) => (status === 'suppressed' && address !== '' ? [address] : []));
