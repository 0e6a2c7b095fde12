import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { withoutShard, withShard } from '#core/runtime/secrets/sealed-shard.js';
import { SealedValueError, type Cell, type Vault } from '#core/runtime/secrets/vault.js';
import type { Channel, MessageTopic } from '../ports.js';
import { contacts, type ContactRow } from '../tables/contact.js';
import { trimEnd } from '#core/runtime/trim-end.js';

/** The contents of a preferences link's token. */
export interface PreferencesLink {
  contactId: string;
  /** The message that contains the link; null for one made by audience.preferences.link. */
  message: MessageTopic | null;
  /** Null for a link that never expires. */
  expiresAt: Date | null;
}

/** A preferences link with its contact. */
export interface ResolvedLink extends Omit<PreferencesLink, 'contactId'> {
  contact: ContactRow;
  environment: Environment;
}

const prefix = 'svc_pf_';
/** The same cell for all tokens: there is no row to bind them to, and the sealed contact id identifies the contact. */
const cell: Cell = { table: 'audience_contact', column: 'preferences_link', row: 'link' };

/*
 * The sealed bytes: flags (1 byte), contact id (16), expiry in milliseconds if flagged (6), the topic's key, and zeros
 * up to a multiple of 32, so that a token's length does not reveal its topic.
 */
const flags = { email: 1, sms: 2, expires: 4 } as const;
const idEnd = 17;
const expiryBytes = 6;
const blockBytes = 32;

/** The token of a link: encrypted and authenticated, so it needs no row in the database. */
export function sealLink(vault: Vault, { contactId, message, expiresAt }: PreferencesLink): string {
  const flagByte = Buffer.of((message ? flags[message.channel] : 0) | (expiresAt ? flags.expires : 0));
  const expiry = Buffer.alloc(expiresAt ? expiryBytes : 0);
  if (expiresAt) expiry.writeUIntBE(expiresAt.getTime(), 0, expiryBytes);
  const content = Buffer.concat([flagByte, idBytes(contactId), expiry, Buffer.from(message?.topic ?? '')]);
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
  const rest = content.subarray(idEnd);
  const expires = (flag & flags.expires) !== 0;
  const channel = channelOf(flag);
  const topic = trimEnd(rest.subarray(expires ? expiryBytes : 0).toString(), '\0');
  return {
    contactId: idText(content.subarray(1, idEnd)),
    message: channel && { channel, topic: topic === '' ? null : topic },
    expiresAt: expires ? new Date(rest.readUIntBE(0, expiryBytes)) : null,
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

/** The link that a token represents, expired or not; null if the token is invalid or the contact no longer exists. */
export async function resolveLink(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  token: string,
): Promise<ResolvedLink | null> {
  const link = openLink(vault, token);
  const contact = link && (await db.findOne(contacts, { id: link.contactId }));
  const environment = contact && (await findEnvironment(db, contact.environmentId));
  return environment && { contact, environment, message: link.message, expiresAt: link.expiresAt };
}

/**
 * The link that a token represents.
 * @throws not_found, both for an invalid token and for a contact that no longer exists; link_expired
 */
export async function requireLink(
  context: Pick<Context<never, 'link_expired'>, 'db' | 'vault' | 'clock' | 'fail'>,
  token: string,
): Promise<ResolvedLink> {
  const link = await resolveLink(context, token);
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

/** The URL of a contact's preferences page for the link in a message. It never expires. */
export const preferencesUrl = (vault: Vault, baseUrl: string, contactId: string, message: MessageTopic): string =>
  pageUrl(baseUrl, sealLink(vault, { contactId, message, expiresAt: null }));
