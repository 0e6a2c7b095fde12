import type { ErasedPerson } from '#core/kernel/erasure/person.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import type { Session } from '#core/runtime/database/session.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { MessageRow } from '../tables/message.js';

/** Whose address it is that goes: the person's, or any where the message is one to the person's contact alone. */
const theirs = ({ contactId }: MessageRow, { personId, email }: ErasedPerson) => {
  const key = email === null ? null : mailboxKey(email);
  return (address: string): boolean => contactId === personId || mailboxKey(address) === key;
};

/** A message without the person: who else got it, when and how it ended, and nothing of what it said. */
function redactedMessage(message: MessageRow, person: ErasedPerson): MessageRow {
  const isTheirs = theirs(message, person);
  const others = (addresses: readonly string[]): string[] => addresses.filter((address) => !isTheirs(address));
  return {
    ...message,
    // No id of anybody's, but what a contact is found by: what is redacted is not found again.
    contactId: message.contactId === person.personId ? null : message.contactId,
    fromName: null,
    replyTo: others(message.replyTo),
    toAddresses: others(message.toAddresses),
    ccAddresses: others(message.ccAddresses),
    bccAddresses: others(message.bccAddresses),
    subject: null,
    headers: {},
    tags: {},
  };
}

/**
 * Redacts messages that have ended. What was written freely goes for everybody, because it may name the person - content, tags, the
 * sender's name - and so does what the mail server said; the others' addresses stay.
 * @returns the messages as they are now
 */
export async function redactMessages(
  db: Session,
  messages: readonly MessageRow[],
  person: ErasedPerson,
): Promise<MessageRow[]> {
  if (messages.length === 0) return [];
  const ids = messages.map(({ id }) => idBytes(id));
  const toContact = messages.filter(({ contactId }) => contactId === person.personId).map(({ id }) => idBytes(id));
  const redacted = messages.map((message) => redactedMessage(message, person));
  const blank = "UPDATE email_recipient SET address = '', address_key = '' WHERE";
  const { sql, parameters } = joined([
    ...['email_content', 'email_attachment', 'email_attachment_part', 'email_tag'].map((table) => ({
      sql: `DELETE FROM ${table} WHERE message_id IN (?)`,
      parameters: [ids],
    })),
    { sql: "UPDATE email_attempt SET response = '' WHERE message_id IN (?)", parameters: [ids] },
    { sql: 'UPDATE email_recipient SET response = NULL WHERE message_id IN (?)', parameters: [ids] },
    ...(person.email === null
      ? []
      : [
          {
            sql: `${blank} message_id IN (?) AND address_key = ?`,
            parameters: [ids, Buffer.from(mailboxKey(person.email))],
          },
        ]),
    ...(toContact.length === 0 ? [] : [{ sql: `${blank} message_id IN (?)`, parameters: [toContact] }]),
    ...redacted.map(rewritten),
  ]);
  await db.run(sql, parameters);
  return redacted;
}

const rewritten = (message: MessageRow): Statement => ({
  sql: `UPDATE email_message SET from_name = NULL, reply_to = ?, to_addresses = ?, cc_addresses = ?, bcc_addresses = ?, subject = NULL,
    headers = '{}', tags = '{}', contact_id = ? WHERE id = ?`,
  parameters: [
    JSON.stringify(message.replyTo),
    JSON.stringify(message.toAddresses),
    JSON.stringify(message.ccAddresses),
    JSON.stringify(message.bccAddresses),
    message.contactId === null ? null : idBytes(message.contactId),
    idBytes(message.id),
  ],
});
