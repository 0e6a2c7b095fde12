import type { Vault } from '#core/runtime/secrets/vault.js';
import { equalBytes } from '#core/runtime/secrets/digest.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../deployment/settings.js';
import type { MessageRow } from '../tables/message.js';

/*
 * Variable envelope return paths: every recipient of a message has its own return path, `bounce+<id>.<mac>@<domain>`.
 * The id names the message and the recipient, and only this deployment can compute the code that follows. A bounce
 * therefore identifies its recipient regardless of its text, and nobody can report a bounce for an address whose return
 * path they never saw.
 *
 * Both parts are digits of RFC 4648 §7 (base32hex) in lower case: mail servers may change the case of a local part. The
 * local part has 53 octets; RFC 5321 §4.5.3.1.1 allows 64.
 */

/** The recipient that a return path belongs to. */
export interface ReturnPathOwner {
  readonly messageId: string;
  /** The recipient's position, see recipientColumns in core/messaging/tables.ts. */
  readonly position: number;
}

const idOctets = 18;
const macOctets = 10;
const digitsOf = (octets: number): number => Math.ceil((octets * 8) / 5);
const [idDigits, macDigits] = [digitsOf(idOctets), digitsOf(macOctets)];

const localPart = `bounce\\+([0-9a-v]{${idDigits}})\\.([0-9a-v]{${macDigits}})`;
const grammar = new RegExp(`^${localPart}$`);
const addressGrammar = new RegExp(`${localPart}@[\\w.-]{1,253}`, 'i');

const encode = (octets: Buffer): string =>
  BigInt(`0x${octets.toString('hex')}`)
    .toString(32)
    .padStart(digitsOf(octets.length), '0');

/** @returns null if the digits are a larger number than the octets hold */
function decode(digits: string, octets: number): Buffer | null {
  const value = Array.from(digits, (digit) => BigInt(parseInt(digit, 32))).reduce((sum, each) => sum * 32n + each, 0n);
  const hex = value.toString(16).padStart(octets * 2, '0');
  return hex.length > octets * 2 ? null : Buffer.from(hex, 'hex');
}

const macOf = (vault: Pick<Vault, 'digest'>, id: string): string =>
  encode(vault.digest(id, { table: 'email_recipient', column: 'return_path' }).subarray(0, macOctets));

/**
 * The return path of one recipient of a message.
 * @param domain where its bounces are received, in lower case
 */
export function returnPath(
  vault: Pick<Vault, 'digest'>,
  { messageId, position }: ReturnPathOwner,
  domain: string,
): string {
  const octets = Buffer.alloc(idOctets);
  idBytes(messageId).copy(octets);
  octets.writeUInt16BE(position, idOctets - 2);
  const id = encode(octets);
  return `bounce+${id}.${macOf(vault, id)}@${domain}`;
}

/**
 * The recipient whose return path an address is, at any domain.
 * @param address bare, in any case
 * @returns null if it is not a return path that this deployment made
 */
export function readReturnPath(vault: Pick<Vault, 'digest'>, address: string): ReturnPathOwner | null {
  const [, id, mac] = grammar.exec(address.slice(0, address.lastIndexOf('@')).toLowerCase()) ?? [];
  if (id === undefined || mac === undefined) return null;
  if (!equalBytes(Buffer.from(mac), Buffer.from(macOf(vault, id)))) return null;
  const octets = decode(id, idOctets);
  return octets && { messageId: idText(octets.subarray(0, 16)), position: octets.readUInt16BE(16) };
}

/** The part of a mail that is searched for its return path: its headers. */
const mostHeaderBytes = 64 * 1024;

/**
 * The first address in a mail's headers that looks like a return path, such as in `To` or `Delivered-To`.
 * @returns undefined if there is none. readReturnPath decides whether it is one of ours
 */
export function findReturnPath(raw: Buffer): string | undefined {
  const text = raw.subarray(0, mostHeaderBytes).toString('latin1');
  const [headers = ''] = text.split(/\r?\n\r?\n/, 1);
  return addressGrammar.exec(headers)?.[0];
}

/**
 * Creates the function that finds where the bounces of a message are received.
 * @returns by message the domain of its return paths; undefined if its bounces are sent to the sender's own address
 */
export function returnDomains({
  deployment,
}: Pick<Services, 'deployment'>): (message: Pick<MessageRow, 'environmentId' | 'fromAddress'>) => string | undefined {
  const { smtpUrl, mailReturnHost } = deployment.settingsOf(settings);
  // Mail that is kept in the local mailbox never bounces.
  return () => (smtpUrl === undefined ? undefined : mailReturnHost);
}
