import { idBytes, idText } from '#core/runtime/id.js';
import { SealedValueError, type Place, type Vault } from '#core/runtime/secrets/vault.js';
import type { Channel, MessageTopic } from '../ports.js';

/** What a preferences address says to us, and to nobody else. */
export interface PreferencesLink {
  contactId: string;
  /** The message that it stands in; null for one made by audience.preferences.link. */
  message: MessageTopic | null;
  /** Null for one that never expires. */
  expiresAt: Date | null;
}

const prefix = 'svc_pf_';
/** One place for all of them: the row is what the link is to tell, so it cannot be part of what opens it. */
const place: Place = { table: 'audience_contact', column: 'preferences_link', row: 'link' };

/*
 * The sealed bytes: flags (1), the contact's id (16), where it expires the moment (6), where there is a topic its key, and zeros up to
 * the next multiple of 32, so that a token's length does not tell one topic from another.
 */
const flags = { email: 1, sms: 2, expires: 4 } as const;
const idEnd = 17;
const momentBytes = 6;
const block = 32;

/** The token of a link: unguessable, and bound to its contact by the seal alone. No row is needed for it. */
export function sealLink(vault: Vault, { contactId, message, expiresAt }: PreferencesLink): string {
  const head = Buffer.of((message ? flags[message.channel] : 0) | (expiresAt ? flags.expires : 0));
  const moment = Buffer.alloc(expiresAt ? momentBytes : 0);
  if (expiresAt) moment.writeUIntBE(expiresAt.getTime(), 0, momentBytes);
  const said = Buffer.concat([head, idBytes(contactId), moment, Buffer.from(message?.topic ?? '')]);
  const padding = Buffer.alloc((block - (said.length % block)) % block);
  return `${prefix}${vault.seal(Buffer.concat([said, padding]), place).toString('base64url')}`;
}

/** What a token says; null for anything that was not sealed here. */
export function openLink(vault: Vault, token: string): PreferencesLink | null {
  const text = token.slice(prefix.length);
  const sealed = Buffer.from(text, 'base64url');
  // Decoding is lenient, and one link must not have many spellings.
  if (!token.startsWith(prefix) || sealed.toString('base64url') !== text) return null;
  const said = opened(vault, sealed);
  const [flag = 0] = said ?? [];
  if (!said || said.length < idEnd) return null;
  const rest = said.subarray(idEnd);
  const expires = (flag & flags.expires) !== 0;
  const channel = channelOf(flag);
  const topic = rest
    .subarray(expires ? momentBytes : 0)
    .toString()
    .replace(/\0+$/, '');
  return {
    contactId: idText(said.subarray(1, idEnd)),
    message: channel && { channel, topic: topic === '' ? null : topic },
    expiresAt: expires ? new Date(rest.readUIntBE(0, momentBytes)) : null,
  };
}

const channelOf = (flag: number): Channel | null =>
  (flag & flags.email) !== 0 ? 'email' : (flag & flags.sms) !== 0 ? 'sms' : null;

function opened(vault: Vault, sealed: Buffer): Buffer | null {
  try {
    return vault.open(sealed, place);
  } catch (error) {
    if (error instanceof SealedValueError) return null;
    throw error;
  }
}

/** Where a token's page is. */
export const preferencesAddress = (baseUrl: string, token: string): string => `${baseUrl}/preferences?token=${token}`;

/**
 * The address of a contact's preferences page for one message; it never expires (catalog, audience.preferences.get).
 * @param message the message's channel and topic: what one-click unsubscribe ends
 */
export const preferencesUrl = (vault: Vault, baseUrl: string, contactId: string, message: MessageTopic): string =>
  preferencesAddress(baseUrl, sealLink(vault, { contactId, message, expiresAt: null }));
