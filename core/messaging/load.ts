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

/** What lists show of the recipients of messages, by message id. */
interface UnsentRecipients {
  /** The addresses that a message was not sent to, in their order; an erased person's is not among them. */
  readonly suppressed: ReadonlyMap<string, string[]>;
  /** What the server answered to the first recipient of a message that it refused. */
  readonly refusals: ReadonlyMap<string, string>;
}

/** Reads the recipients of some messages that were suppressed or refused. */
export async function unsentRecipients<M extends MessageFields>(
  db: Pick<Session, 'rows'>,
  { tables }: Source<M>,
  messageIds: readonly string[],
): Promise<UnsentRecipients> {
  const suppressed = new Map<string, string[]>();
  const refusals = new Map<string, string>();
  if (messageIds.length === 0) return { suppressed, refusals };
  const rows = await db.rows<{ message_id: Buffer; is_suppressed: number; address: string; response: string }>(
    `SELECT message_id, status = 'suppressed' AS is_suppressed, address, response FROM ${tables.recipients.tableName}
     WHERE message_id IN (?) AND (status = 'suppressed' AND address <> '' OR status IN ('failed', 'queued') AND response <> '')
     ORDER BY message_id, position`,
    [messageIds.map(idBytes)],
  );
  for (const { message_id: bytes, is_suppressed: isSuppressed, address, response } of rows) {
    const id = idText(bytes);
    if (isSuppressed === 1) suppressed.set(id, [...(suppressed.get(id) ?? []), address]);
    else if (!refusals.has(id)) refusals.set(id, response);
  }
  return { suppressed, refusals };
}

/** The suppressed addresses of recipients that are loaded, as `unsentRecipients` returns them. */
export const suppressedOf = (recipients: readonly RecipientRow[]): string[] =>
  recipients.flatMap(({ status, address }) => (status === 'suppressed' && address !== '' ? [address] : []));

/** The addresses of loaded recipients that a message was not sent to because it was refused or cancelled. */
export const failedOf = (recipients: readonly RecipientRow[]): string[] =>
  recipients.flatMap(({ status, address }) =>
    (status === 'failed' || status === 'cancelled') && address !== '' ? [address] : [],
  );
