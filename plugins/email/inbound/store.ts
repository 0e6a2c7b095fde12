import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { mailboxKey, parseAddress } from '#core/kernel/schema/email-address.js';
import { shift, dayMs, hourMs } from '#core/runtime/clock.js';
import { isDuplicate, RetryTransaction } from '#core/runtime/database/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { joined } from '#core/runtime/database/statement.js';
import { formats } from '#core/kernel/schema/formats.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { recipients as audienceRecipients } from '#plugins/audience/ports.js';
import { inboundAddresses, type inboundRoles } from '../tables/inbound-address.js';
import { inboundAttachments } from '../tables/inbound-attachment.js';
import { inboundContents } from '../tables/inbound-content.js';
import { inboundParts } from '../tables/inbound-part.js';
import { inbounds, type InboundRow } from '../tables/inbound.js';
import type { Verdicts } from './authenticate.js';
import type { ParsedAttachment, ParsedMail } from './parse/parsed.js';
import { presentInbound } from './present.js';

/** A message for recipients of one environment. */
export interface Arrival {
  environment: Environment;
  /** Envelope recipients, as `parseAddress` returns them. */
  recipients: readonly string[];
  /** Empty for the null sender; undefined if it is not known, and the From header takes its place. */
  envelopeFrom: string | undefined;
  raw: Buffer;
}

/** The outcome of a message for one recipient. */
export interface Stored {
  envelopeTo: string;
  inboundId: string;
}

/** Senders try again for five days (RFC 5321 4.5.4.1). */
const repeatMs = 7 * dayMs;
/** A message without an id may be sent again on purpose, such as a daily alarm that always has the same text. */
const repeatWithoutIdMs = hourMs;

/** @returns for each recipient the digest by which a repeated message is recognised */
export function arrivalDigests({ recipients, raw }: Arrival): Map<string, Buffer> {
  const content = sha256(raw);
  return new Map(
    recipients.map((address) => [address, sha256(Buffer.concat([Buffer.from(`${mailboxKey(address)}\0`), content]))]),
  );
}

interface Known extends Stored {
  receivedAt: Date;
  hasMessageId: boolean;
}

/** The stored data of the same arrival for some recipients. */
export async function findKnown(
  db: ReadSession,
  { environment }: Arrival,
  digests: ReadonlyMap<string, Buffer>,
): Promise<Known[]> {
  const rows = await db.rows<{ id: Buffer; arrival_digest: Buffer; received_at: Date; has_id: number }>(
    `SELECT id, arrival_digest, received_at, message_id IS NOT NULL AS has_id FROM email_inbound
     WHERE environment_id = ? AND arrival_digest IN (?)`,
    [idBytes(environment.id), [...digests.values()]],
  );
  return rows.flatMap(({ id, arrival_digest: digest, received_at: receivedAt, has_id: hasId }) => {
    const [envelopeTo] = [...digests].find(([, each]) => each.equals(digest)) ?? [];
    if (envelopeTo === undefined) return [];
    return [{ envelopeTo, inboundId: idText(id), receivedAt, hasMessageId: hasId === 1 }];
  });
}

/** Whether a message that arrives now is a repeat of the stored one. */
export const isRepeat = ({ receivedAt, hasMessageId }: Known, now: Date): boolean =>
  now < shift(receivedAt, hasMessageId ? repeatMs : repeatWithoutIdMs);

/**
 * Stores a message for its recipients, and emits `email.inbound.received` for each. A message that is already stored is
 * left unchanged, deleted or not.
 * @returns what is stored of it now
 */
export async function storeArrival(
  context: Context<'email.inbound.received'>,
  arrival: Arrival,
  { mail, verdicts, digests }: { mail: ParsedMail; verdicts: Verdicts; digests: ReadonlyMap<string, Buffer> },
): Promise<Stored[]> {
  const { db, clock, emit } = context;
  const { environment } = arrival;
  const now = clock.now();
  const known = await findKnown(db, arrival, digests);
  const repeats = known.filter((each) => isRepeat(each, now));
  const outdated = known.filter((each) => !isRepeat(each, now)).map(({ inboundId }) => idBytes(inboundId));
  if (outdated.length > 0) await db.run('UPDATE email_inbound SET arrival_digest = NULL WHERE id IN (?)', [outdated]);
  const fresh = arrival.recipients.filter((address) => !repeats.some(({ envelopeTo }) => envelopeTo === address));
  if (fresh.length === 0) return repeats;

  const contentId = newId();
  const inReplyTo = await answeredMessage(db, environment.id, mail.answered);
  const rows = fresh.map((envelopeTo): InboundRow => ({
    id: newId(),
    environmentId: environment.id,
    contentId,
    arrivalDigest: digests.get(envelopeTo) ?? null,
    envelopeFrom: arrival.envelopeFrom ?? mail.from ?? '',
    envelopeTo,
    fromAddress: mail.from ?? arrival.envelopeFrom ?? '',
    toAddresses: mail.to,
    subject: mail.subject,
    messageId: mail.messageId,
    inReplyTo,
    ...verdicts,
    automatic: mail.automatic || arrival.envelopeFrom === '',
    bytes: arrival.raw.length,
    attachmentCount: mail.attachments.length,
    receivedAt: now,
    deletedAt: null,
  }));
  const statement = joined([
    inbounds.insertRows(rows),
    inboundContents.insertRows([{ id: contentId, textBody: mail.text, htmlBody: null, headers: mail.headers }]),
    inboundAddresses.insertRows(rows.flatMap((row) => addressRows(row, mail))),
  ]);
  await db.run(statement).catch((error: unknown) => {
    // Another process has just stored the same message: start again, and find it.
    throw isDuplicate(error, 'arrival') ? new RetryTransaction('The message was stored just now.') : error;
  });
  // Text and HTML in separate statements, so that none exceeds the server's max_allowed_packet.
  if (mail.html !== null) await db.update(inboundContents, { id: contentId }, { htmlBody: mail.html });
  await storeAttachments(context, contentId, mail.attachments);
  // Automations write to the contact that an event is about: none if a program sent the message or From is forged.
  const [first] = rows;
  const isAnswerable = first !== undefined && !first.automatic && verdicts.dmarc !== 'fail';
  const personId = isAnswerable ? await contactOf(context, environment.id, first.fromAddress) : undefined;
  for (const row of rows) {
    const event = { subjectId: row.id, data: { inbound: presentInbound(row) }, ...(personId && { personId }) };
    emit('email.inbound.received', event, environment);
  }
  return [...repeats, ...rows.map(({ id, envelopeTo }) => ({ envelopeTo, inboundId: id }))];
}

/**
 * The first of some ids that names a message of the environment: our id, or that of the provider who sent it and
 * replaced the Message-ID (the recipient's `providerId`).
 */
async function answeredMessage(db: ReadSession, environmentId: string, ids: readonly string[]): Promise<string | null> {
  if (ids.length === 0) return null;
  const own = ids.map((id) => id.toLowerCase()).filter((id) => formats['uuid']?.(id) === true);
  const [byId, byProvider] = await Promise.all([
    own.length === 0
      ? []
      : db.rows<{ id: Buffer }>('SELECT id FROM email_message WHERE id IN (?) AND environment_id = ?', [
          own.map(idBytes),
          idBytes(environmentId),
        ]),
    db.rows<{ message_id: Buffer; provider_id: Buffer }>(
      'SELECT message_id, provider_id FROM email_recipient WHERE provider_id IN (?) AND environment_id = ? LIMIT 100',
      [ids.map((id) => Buffer.from(id)), idBytes(environmentId)],
    ),
  ]);
  const found = new Map([
    ...byProvider.map(({ message_id, provider_id }) => [provider_id.toString(), idText(message_id)] as const),
    ...byId.map(({ id }) => [idText(id), idText(id)] as const),
  ]);
  for (const id of ids) {
    const message = found.get(id) ?? found.get(id.toLowerCase());
    if (message !== undefined) return message;
  }
  return null;
}

type AddressRow = { environmentId: string; addressKey: string; inboundId: string; role: (typeof inboundRoles)[number] };

function addressRows(
  { id, environmentId, envelopeFrom, envelopeTo, fromAddress }: InboundRow,
  mail: ParsedMail,
): AddressRow[] {
  const keyed = (role: AddressRow['role'], addresses: readonly string[]): AddressRow[] =>
    [...new Set(addresses.filter((each) => each !== '').map(mailboxKey))].map((addressKey) => ({
      environmentId,
      addressKey,
      inboundId: id,
      role,
    }));
  return [
    ...keyed('sender', [envelopeFrom, fromAddress, ...mail.senders]),
    ...keyed('to', [envelopeTo, ...mail.named]),
  ];
}

const partBytes = 1024 * 1024;

/** One statement per part, so that none exceeds the server's max_allowed_packet. */
async function storeAttachments(
  { db }: Pick<Context, 'db'>,
  contentId: string,
  attachments: readonly ParsedAttachment[],
): Promise<void> {
  if (attachments.length === 0) return;
  await db.run(
    inboundAttachments.insertRows(
      attachments.map(({ attachmentId, filename, contentType, content }, position) => ({
        id: attachmentId,
        contentId,
        position,
        filename,
        contentType,
        bytes: content.length,
      })),
    ),
  );
  for (const [position, { content }] of attachments.entries()) {
    for (let part = 0; part * partBytes < content.length; part += 1) {
      const data = Buffer.from(content.buffer, content.byteOffset + part * partBytes).subarray(
        0,
        Math.min(partBytes, content.length - part * partBytes),
      );
      const insert = inboundParts.insertRows([{ contentId, position, part, data }]);
      await db.run(insert);
    }
  }
}

/** The contact with an address; undefined if there is none. */
async function contactOf(
  { use }: Pick<Context, 'use'>,
  environmentId: string,
  from: string,
): Promise<string | undefined> {
  const parsed = parseAddress(from);
  if (!parsed.ok) return undefined;
  const purpose = { channel: 'email', topic: null, system: false } as const;
  const [found] = await use(audienceRecipients).eligibilityOf(environmentId, purpose, [parsed.address]);
  return found?.contactId ?? undefined;
}
