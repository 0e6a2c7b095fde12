import { mailboxKey } from '#core/kernel/schema/email-address.js';
import type { Session } from '#core/runtime/database/session.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { MessageRow } from '../../tables/message.js';
import { tagText } from '../../tables/tag.js';

/** Does a text name the mailbox, as svc writes it or as it was typed? */
const naming =
  (email: string) =>
  (text: string): boolean =>
    [mailboxKey(email), email.toLowerCase()].some((spelling) => text.toLowerCase().includes(spelling));

/** A message without the person at an address: who else got it, when and how it ended, and nothing of what it said. */
export function redactedMessage(message: MessageRow, email: string): MessageRow {
  const key = mailboxKey(email);
  const names = naming(email);
  const others = (addresses: readonly string[]): string[] => addresses.filter((address) => mailboxKey(address) !== key);
  return {
    ...message,
    fromName: message.fromName !== null && names(message.fromName) ? null : message.fromName,
    replyTo: others(message.replyTo),
    toAddresses: others(message.toAddresses),
    ccAddresses: others(message.ccAddresses),
    bccAddresses: others(message.bccAddresses),
    subject: null,
    headers: {},
    tags: Object.fromEntries(Object.entries(message.tags).filter(([name, value]) => !names(tagText(name, value)))),
  };
}

/**
 * Redacts messages that have ended. Their content goes for everybody, because it may name the person, and so does what the mail
 * server said; the others' addresses stay.
 * @returns the messages as they are now
 */
export async function redactMessages(
  db: Session,
  messages: readonly MessageRow[],
  email: string,
): Promise<MessageRow[]> {
  if (messages.length === 0) return [];
  const ids = messages.map(({ id }) => idBytes(id));
  const redacted = messages.map((message) => redactedMessage(message, email));
  const { sql, parameters } = joined([
    ...['email_content', 'email_attachment', 'email_attachment_part'].map((table) => ({
      sql: `DELETE FROM ${table} WHERE message_id IN (?)`,
      parameters: [ids],
    })),
    { sql: "UPDATE email_attempt SET response = '' WHERE message_id IN (?)", parameters: [ids] },
    { sql: 'UPDATE email_recipient SET response = NULL WHERE message_id IN (?)', parameters: [ids] },
    {
      sql: "UPDATE email_recipient SET address = '', address_key = '' WHERE message_id IN (?) AND address_key = ?",
      parameters: [ids, Buffer.from(mailboxKey(email))],
    },
    ...redacted.map(rewritten),
    ...messages.flatMap((message) => withoutTags(message, naming(email))),
  ]);
  await db.run(sql, parameters);
  return redacted;
}

const rewritten = (message: MessageRow): Statement => ({
  sql: `UPDATE email_message SET from_name = ?, reply_to = ?, to_addresses = ?, cc_addresses = ?, bcc_addresses = ?, subject = NULL,
    headers = '{}', tags = ? WHERE id = ?`,
  parameters: [
    message.fromName,
    JSON.stringify(message.replyTo),
    JSON.stringify(message.toAddresses),
    JSON.stringify(message.ccAddresses),
    JSON.stringify(message.bccAddresses),
    JSON.stringify(message.tags),
    idBytes(message.id),
  ],
});

/** A tag by which nobody is to be found any more is no longer found by either. */
function withoutTags({ id, environmentId, tags }: MessageRow, names: (text: string) => boolean): Statement[] {
  const gone = Object.entries(tags)
    .map(([name, value]) => tagText(name, value))
    .filter(names);
  if (gone.length === 0) return [];
  return [
    {
      sql: 'DELETE FROM email_tag WHERE environment_id = ? AND tag IN (?) AND message_id = ?',
      parameters: [idBytes(environmentId), gone.map((tag) => Buffer.from(tag)), idBytes(id)],
    },
  ];
}
