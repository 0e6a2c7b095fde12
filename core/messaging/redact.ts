import type { ErasedPerson } from '#core/kernel/person.js';
import type { Session } from '#core/runtime/database/session.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { MessageDriver, LoadedMessage } from './driver.js';
import type { MessageFields, RecipientRow } from './tables.js';

/**
 * Removes an erased person from messages that no worker has leased.
 *
 * Free text (content, tags, server responses) is removed for all recipients, because it may name the person. The other
 * recipients' addresses stay. Content that other messages share is kept, and the person's messages lose their reference
 * to it.
 * @param addressKeys the person's address in all forms that `addressKey` may contain; none if it is unknown or another
 *   person also has it
 * @returns the current messages and recipients
 */
export async function redactMessages<M extends MessageFields>(
  db: Session,
  driver: MessageDriver<M>,
  loaded: readonly LoadedMessage<M>[],
  person: ErasedPerson,
  addressKeys: readonly string[],
): Promise<LoadedMessage<M>[]> {
  if (loaded.length === 0) return [];
  const { tables, redaction } = driver;
  const ids = loaded.map(({ message }) => idBytes(message.id));
  const redacted = loaded.map(({ message, recipients }): LoadedMessage<M> => {
    const isPersons = message.contactId === person.personId || message.personId === person.personId;
    const isTheirs = (row: RecipientRow): boolean => isPersons || addressKeys.includes(row.addressKey);
    const theirs = new Set(recipients.filter(isTheirs).map(({ address }) => address));
    const keyed = (address: string): boolean => theirs.has(address) || addressKeys.includes(driver.keyOf(address));
    return {
      message: {
        ...redaction.redact(message, keyed),
        contentId: null,
        tags: {},
        contactId: message.contactId === person.personId ? null : message.contactId,
        personId: message.personId === person.personId ? null : message.personId,
      },
      recipients: recipients.map((row) => ({
        ...row,
        response: null,
        ...(isTheirs(row) ? { address: '', addressKey: '' } : {}),
      })),
    };
  });
  const contentIds = loaded.flatMap(({ message }) => (message.contentId === null ? [] : [idBytes(message.contentId)]));
  const stored = await lockContents(db, driver, contentIds);
  await db.run(
    joined([
      ...tables.details.map(({ table, key }) => ({
        sql: `DELETE FROM ${table} WHERE ${key} IN (?)`,
        parameters: [ids],
      })),
      {
        sql: `UPDATE ${tables.attempts.tableName} SET response = '' WHERE message_id IN (?)`,
        parameters: [ids],
      },
      tables.recipients.upsertRows(
        redacted.flatMap(({ recipients }) => recipients),
        ['address', 'addressKey', 'response'],
      ),
      ...redacted.map(({ message }) => redaction.update(message)),
    ]),
  );
  await deleteUnsharedContents(db, driver, stored);
  return redacted;
}

/**
 * Locks contents that are about to lose a message. Two transactions that share a content wait for each other here, so
 * that the second one sees that it is the last.
 * @returns the stored contents: the content of a broadcast's message is not stored
 */
export async function lockContents<M extends MessageFields>(
  db: Session,
  { tables }: Pick<MessageDriver<M>, 'tables'>,
  contentIds: readonly Buffer[],
): Promise<Buffer[]> {
  if (contentIds.length === 0) return [];
  const [{ table, key }] = tables.contents;
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT ${key} AS id FROM ${table} WHERE ${key} IN (?) ORDER BY ${key} FOR UPDATE`,
    [contentIds],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the locked contents that no message refers to any more, with their parts. */
export async function deleteUnsharedContents<M extends MessageFields>(
  db: Session,
  { tables }: Pick<MessageDriver<M>, 'tables'>,
  contentIds: readonly Buffer[],
): Promise<void> {
  if (contentIds.length === 0) return;
  const shared = await db.rows<{ content_id: Buffer }>(
    `SELECT DISTINCT content_id FROM ${tables.messages.tableName} WHERE content_id IN (?)`,
    [contentIds],
  );
  const unshared = contentIds.filter((id) => !shared.some(({ content_id: other }) => other.equals(id)));
  if (unshared.length === 0) return;
  await db.run(
    joined(
      tables.contents.map(({ table, key }) => ({
        sql: `DELETE FROM ${table} WHERE ${key} IN (?)`,
        parameters: [unshared],
      })),
    ),
  );
}
