import type { ErasureContext, ErasureStep, PersonEraser, RequestedErasure } from '#core/kernel/erasure/person.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import type { Services } from '#core/kernel/services.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { endWaiting } from './finalize.js';
import { suppressedOf } from './find.js';
import { presentMessage } from './present.js';
import { redactMessages } from './redact.js';
import { settings } from '../settings.js';
import { messages, type MessageRow } from '../tables/message.js';
import { forgetMailbox, mailboxFolder } from '../mailbox/transport.js';

/** A message with all its attachments, tags, attempts, events and answers may have some eighty rows. */
const messagesAtOnce = 6;

/**
 * Forgets messages to a person. What waits is cancelled first: nobody mails an erased person. What a worker has in hand is seen to
 * once it is back.
 */
export const erase = ({ deployment }: Services): PersonEraser => ({
  step: (person, context) => eraseMailTo(person, context),
  async outside({ email }) {
    if (email !== null && deployment.settingsOf(settings).smtpUrl === undefined)
      await forgetMailbox(mailboxFolder(deployment), email);
  },
});

async function eraseMailTo(person: RequestedErasure, context: ErasureContext): Promise<ErasureStep> {
  const { db, clock } = context;
  const { inHand, ids } = await messagesTo(db, person);
  const free = await withdrawn(db, ids);
  const ended: MessageRow[] = [];
  const cut = new Set<string>();
  for (const message of await messagesOf(db, free)) {
    if (message.endedAt === null) cut.add(message.id);
    ended.push(message.endedAt === null ? await endWaiting(db, message, clock.now()) : message);
  }
  const redacted = await redactMessages(db, ended, person);
  await context.redactAbout({ type: 'message', ids: free.map(idText) });
  // After that, and so as they are now: who waits for the message to end is told, and nothing of the person.
  const suppressed = await suppressedOf(db, [...cut]);
  for (const message of redacted.filter(({ id }) => cut.has(id))) {
    const data = { message: presentMessage(message, suppressed.get(message.id) ?? []) };
    context.emit(message.status === 'sent' ? 'email.sent' : 'email.cancelled', { subjectId: message.id, data });
  }
  return { done: free.length, inWork: inHand || free.length < ids.length };
}

/**
 * The next messages to a person that no worker holds, and whether one holds any: to the address, and to the contact at addresses that it
 * had before. Whoever came to have the address after the person keeps what was written to them: their contact is another.
 */
async function messagesTo(
  db: Session,
  { environment, personId, email, requestedAt }: RequestedErasure,
): Promise<{ inHand: boolean; ids: Buffer[] }> {
  const toAddress = `SELECT r.message_id AS id FROM email_recipient r FORCE INDEX (address) STRAIGHT_JOIN email_message m ON m.id = r.message_id
    WHERE r.environment_id = ? AND r.address_key = ? AND (m.contact_id IS NULL OR m.contact_id = ? OR m.created_at <= ?)`;
  const toContact = 'SELECT m.id FROM email_message m WHERE m.contact_id = ?';
  const theirs = `(${toAddress} UNION ${toContact}) theirs`;
  const parameters = [
    idBytes(environment.id),
    Buffer.from(email === null ? '\0' : mailboxKey(email)),
    idBytes(personId),
    requestedAt,
    idBytes(personId),
  ];
  const held = await db.rows(
    `SELECT q.id FROM ${theirs} JOIN email_queue q ON q.id = theirs.id WHERE q.leased = 1 LIMIT 1`,
    parameters,
  );
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT theirs.id FROM ${theirs} LEFT JOIN email_queue q ON q.id = theirs.id AND q.leased = 1
     WHERE q.id IS NULL ORDER BY theirs.id LIMIT ?`,
    [...parameters, messagesAtOnce],
  );
  return { inHand: held.length > 0, ids: rows.map(({ id }) => id) };
}

/** Takes messages out of the queue. @returns those that no worker has got hold of before, whether they waited or had ended */
async function withdrawn(db: Session, ids: readonly Buffer[]): Promise<Buffer[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows<{ id: Buffer; leased: number }>(
    'SELECT id, leased FROM email_queue WHERE id IN (?) ORDER BY id FOR UPDATE',
    [ids],
  );
  const held = rows.filter((row) => row.leased === 1);
  const free = ids.filter((id) => !held.some((row) => row.id.equals(id)));
  if (free.length > 0) await db.run('DELETE FROM email_queue WHERE id IN (?) AND leased = 0', [free]);
  return free;
}

const messagesOf = async (db: Session, ids: readonly Buffer[]): Promise<MessageRow[]> =>
  ids.length === 0 ? [] : db.select(messages, 'message').where('message.id IN (:...ids)', { ids }).getMany();
