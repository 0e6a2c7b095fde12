import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { withoutShard, withShard } from '#core/runtime/secrets/sealed-shard.js';
import { SealedValueError, type Cell, type Vault } from '#core/runtime/secrets/vault.js';
import type { Channel, MessageTopic } from '../ports.js';
import { addressDigest, addressKey } from '../contacts/address.js';
import { newContact } from '../contacts/changes.js';
import { contacts, type ContactRow } from '../tables/contact.js';
import { erasedContacts } from '../tables/erased-contact.js';
import { formerAddresses } from '../tables/former-address.js';
import { trimEnd } from '#core/runtime/trim-end.js';

/** The contents of a preferences link's token. */
interface PreferencesLink {
  contactId: string;
  /** The message that contains the link; null for one made by audience.preferences.link. */
  message: MessageTopic | null;
  /** Null for a link that never expires. */
  expiresAt: Date | null;
  /**
   * The digest of the address that the message went to, or of the contact's email address if the link is in no message.
   * Older links have none.
   */
  addressDigest?: Buffer;
}

/** A preferences link with the person whom it concerns. */
export interface ResolvedLink extends Omit<PreferencesLink, 'contactId' | 'addressDigest'> {
  /** If nobody has the address, a contact without anything but the id in the link. */
  contact: ContactRow;
  environment: Environment;
  /** The address that nobody has now: an opt-out is remembered for it. */
  nobody?: { readonly channel: Channel; readonly addressDigest: Buffer };
}

const prefix = 'svc_pf_';
/** The same cell for all tokens: no row exists to bind them to, and the sealed contact id identifies the contact. */
const cell: Cell = { table: 'audience_contact', column: 'preferences_link', row: 'link' };

/*
 * The sealed bytes: flags (1 byte), contact id (16), expiry in milliseconds if flagged (6), the digest of the address
 * if flagged (32), the topic's key, and zeros up to a multiple of 32, so that a token's length does not reveal its
 * topic.
 */
const flags = { email: 1, sms: 2, expires: 4, address: 8 } as const;
const digestBytes = 32;
const idEnd = 17;
const expiryBytes = 6;
const blockBytes = 32;

/** The token of a link: encrypted and authenticated, so it needs no row in the database. */
export function sealLink(vault: Vault, { contactId, message, expiresAt, addressDigest }: PreferencesLink): string {
  const flagByte = Buffer.of(
    (message ? flags[message.channel] : 0) | (expiresAt ? flags.expires : 0) | (addressDigest ? flags.address : 0),
  );
  const expiry = Buffer.alloc(expiresAt ? expiryBytes : 0);
  if (expiresAt) expiry.writeUIntBE(expiresAt.getTime(), 0, expiryBytes);
  const content = Buffer.concat([
    flagByte,
    idBytes(contactId),
    expiry,
    addressDigest ?? Buffer.alloc(0),
    Buffer.from(message?.topic ?? ''),
  ]);
  const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
  return prefix + withShard(vault.seal(Buffer.concat([content, padding]), cell).toString('base64url'));
}

/** Opens a token; null for anything that `sealLink` did not make. */
export function openLink(vault: Vault, token: string): PreferencesLink | null {
  const text = withoutShard(token.slice(prefix.length)) ?? '';
  const sealed = Buffer.from(text, 'base64url');
  // Decoding is lenient; a token has exactly one valid spelling.
  if (!token.startsWith(prefix) || sealed.toString('base64url') !== text) return null;
  const content = openSealed(vault, sealed);
  const [flag = 0] = content ?? [];
  if (!content || content.length < idEnd) return null;
  const expires = (flag & flags.expires) !== 0;
  const hasAddress = (flag & flags.address) !== 0;
  const digestAt = idEnd + (expires ? expiryBytes : 0);
  const topicAt = digestAt + (hasAddress ? digestBytes : 0);
  const channel = channelOf(flag);
  const topic = trimEnd(content.subarray(topicAt).toString(), '\0');
  return {
    contactId: idText(content.subarray(1, idEnd)),
    message: channel && { channel, topic: topic === '' ? null : topic },
    expiresAt: expires ? new Date(content.readUIntBE(idEnd, expiryBytes)) : null,
    ...(hasAddress ? { addressDigest: content.subarray(digestAt, topicAt) } : {}),
  };
}

const channelOf = (flag: number): Channel | null =>
  (flag & flags.email) !== 0 ? 'email' : (flag & flags.sms) !== 0 ? 'sms' : null;

function openSealed(vault: Vault, sealed: Buffer): Buffer | null {
  try {
    return vault.open(sealed, cell);
  } catch (error) {
    if (error instanceof SealedValueError) return null;
    throw error;
  }
}

/** How a link is used. One-click unsubscribing is about the address of the mail, also with a link from no message. */
interface LinkUse {
  via?: string | undefined;
}

/** The `source` of consent records made by a mail program's one-click unsubscribe (RFC 8058). */
export const oneClick = 'one-click unsubscribe';

/**
 * The link that a token represents, expired or not. A link in a message concerns whoever has the address that the
 * message went to: the contact may have changed its address since, or been erased and added again. A link from
 * audience.preferences.link concerns its contact, and the address only once the contact is erased.
 * @returns null if the token is invalid, or the contact no longer exists and its address is not known
 */
export async function resolveLink(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  token: string,
  { via }: LinkUse = {},
): Promise<ResolvedLink | null> {
  const link = openLink(vault, token);
  if (!link) return null;
  const { contactId, message, expiresAt } = link;
  const channel = message?.channel ?? 'email';
  const known = await db.findOne(contacts, { id: contactId });
  const environmentId = known?.environmentId ?? (await environmentOfErased(db, contactId));
  const environment = environmentId === null ? null : await findEnvironment(db, environmentId);
  if (!environment) return null;
  const facts = { environment, message, expiresAt };
  const isAboutAddress = message !== null || via === oneClick;
  const wanted = link.addressDigest ?? (known ? null : await onlyAddressOf(db, contactId, channel));
  if (wanted === null) return known && { ...facts, contact: known };
  const has = (contact: ContactRow): boolean => digestOn(contact, channel)?.equals(wanted) === true;
  // A contact that has no other address keeps the opt-out for the one it had (contacts/former-address.ts).
  if (known && (!isAboutAddress || has(known) || digestOn(known, channel) === null))
    return { ...facts, contact: known };
  const holder = await holderOf(db, environment.id, channel, wanted);
  if (holder) return { ...facts, contact: holder };
  // An older link opens no page for an address that is only assumed, but it still unsubscribes.
  if (!link.addressDigest && via !== oneClick) return null;
  const nobody = { ...newContact(environment.id, new Date(0)), id: contactId };
  return { ...facts, contact: nobody, nobody: { channel, addressDigest: wanted } };
}

const digestOn = (contact: ContactRow, channel: Channel): Buffer | null =>
  channel === 'email' ? contact.emailDigest : contact.phoneDigest;

/** The contact that has an address now. Links of text messages have no digest, so numbers need no index. */
const holderOf = (
  db: ReadSession,
  environmentId: string,
  channel: Channel,
  emailDigest: Buffer,
): Promise<ContactRow | null> =>
  channel === 'email' ? db.findOne(contacts, { environmentId, emailDigest }) : Promise.resolve(null);

async function environmentOfErased(db: ReadSession, contactId: string): Promise<string | null> {
  return (await db.findOne(erasedContacts, { contactId }))?.environmentId ?? null;
}

/** For older links, which have no digest: the address of an erased contact, if it had one only. */
async function onlyAddressOf(db: ReadSession, contactId: string, channel: Channel): Promise<Buffer | null> {
  const [only, ...others] = await db.find(formerAddresses, { contactId, channel });
  return only && others.length === 0 ? only.addressDigest : null;
}

/**
 * The link that a token represents.
 * @throws not_found, both for an invalid token and for an older link whose contact no longer exists; link_expired
 */
export async function requireLink(
  context: Pick<Context<never, 'link_expired'>, 'db' | 'vault' | 'clock' | 'fail'>,
  token: string,
  use: LinkUse = {},
): Promise<ResolvedLink> {
  const link = await resolveLink(context, token, use);
  if (!link) throw refusalOf.not_found({ thing: 'preferences link', lookup: 'the link in the newest message' });
  const { expiresAt } = link;
  if (expiresAt && expiresAt <= context.clock.now()) {
    const expiredAt = expiresAt.toISOString();
    throw context.fail.link_expired({ expiredAt, details: { expiredAt } });
  }
  return link;
}

/** The URL of the preferences page for a token. */
export const pageUrl = (baseUrl: string, token: string): string => `${baseUrl}/preferences?token=${token}`;

/** The address that a message goes to. */
interface MessageAddress {
  environmentId: string;
  address: string;
}

/**
 * The URL of a contact's preferences page for the link in a message. It never expires.
 * @param to the address that the message goes to; the link then means whoever has it
 */
export function preferencesUrl(
  vault: Vault,
  baseUrl: string,
  contactId: string,
  message: MessageTopic,
  to?: MessageAddress,
): string {
  const digest = to && addressDigest(vault, to.environmentId, message.channel, addressKey(message.channel, to.address));
  const link = { contactId, message, expiresAt: null };
  return pageUrl(baseUrl, sealLink(vault, digest ? { ...link, addressDigest: digest } : link));
}
