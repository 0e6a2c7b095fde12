import { refusalOf } from '#core/kernel/errors/common.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import { mailboxKey, parseAddress } from '#core/kernel/schema/email-address.js';
import { parseMailbox } from '#core/kernel/schema/mailbox.js';
import { tagText } from '../tables/tag.js';
import { displayNameProblem, hasControls, headerProblem } from './header.js';
import type { MessageFields } from './input.js';
import { relayHeaderProblem } from './relay-headers.js';

/** The error for a field whose schema cannot express the rule. */
export const invalidField = (field: string, problem: string): SvcError =>
  refusalOf.invalid_input({ field, problem, details: { field } });

/** One bare address. @throws invalid_input naming the field, which may be an element: `to[2]` */
export function validateAddress(field: string, value: string): string {
  const parsed = parseAddress(value);
  if (!parsed.ok) throw invalidField(field, parsed.problem);
  return parsed.address;
}

export interface Mailbox {
  readonly address: string;
  /** The display name; null without one. */
  readonly name: string | null;
}

/** One address, with or without a display name. @throws invalid_input naming the field */
export function validateMailbox(field: string, value: string): Mailbox {
  const parsed = parseMailbox(value);
  const problem = parsed.ok ? displayNameProblem(parsed.name ?? '') : parsed.problem;
  if (!parsed.ok || problem !== null) throw invalidField(field, problem ?? 'is invalid');
  return { address: parsed.address, name: parsed.name };
}

/** One or several addresses. @throws invalid_input naming the field, or its element: `to[2]` */
function validateMailboxes(field: string, given: string | readonly string[] | undefined): Mailbox[] {
  if (given === undefined) return [];
  if (typeof given === 'string') return [validateMailbox(field, given)];
  return given.map((value, index) => validateMailbox(`${field}[${index}]`, value));
}

export interface Addressed {
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  /** Display names by address. Nobody sees those of bcc. */
  names: Record<string, string>;
}

/** All recipients, each once: an address in `to` is not repeated in `cc` or `bcc`. */
export function validateRecipients(input: MessageFields): Addressed {
  const seen = new Set<string>();
  const names: Record<string, string> = {};
  const keepNames = (mailboxes: readonly Mailbox[]): string[] =>
    mailboxes.map(({ address, name }) => {
      if (name !== null) names[address] ??= name;
      return address;
    });
  const fresh = (mailboxes: readonly Mailbox[]): Mailbox[] =>
    mailboxes.filter(({ address }) => {
      const key = mailboxKey(address);
      return seen.has(key) ? false : seen.add(key);
    });
  return {
    to: keepNames(fresh(validateMailboxes('to', input.to))),
    cc: keepNames(fresh(validateMailboxes('cc', input.cc))),
    bcc: fresh(validateMailboxes('bcc', input.bcc)).map(({ address }) => address),
    replyTo: keepNames(validateMailboxes('replyTo', input.replyTo)),
    names,
  };
}

/**
 * Display name, headers and tags: none may contain what starts another header (RFC 5322 §2.2).
 * @param relayHeaders names of relay headers that the operator allows
 */
export function validateHeaders(input: MessageFields, relayHeaders: readonly string[]): void {
  const name = input.fromName === undefined ? null : displayNameProblem(input.fromName);
  if (name !== null) throw invalidField('fromName', name);
  for (const [header, value] of Object.entries(input.headers ?? {})) {
    const problem = headerProblem(header, value) ?? relayHeaderProblem(header, relayHeaders);
    if (problem !== null) throw invalidField(`headers.${header.slice(0, 80)}`, problem);
  }
  for (const [tag, value] of Object.entries(input.tags ?? {})) {
    const problem = tagProblem(tag, value);
    if (problem !== null) throw invalidField(`tags.${tag.slice(0, 80)}`, problem);
  }
}

/** The length of the tag column, which holds `name=value`. */
const tagOctets = 760;

function tagProblem(tag: string, value: string): string | null {
  if (!/^[A-Za-z0-9_.-]{1,60}$/.test(tag))
    return 'must be named by 1 to 60 letters, digits, dots, dashes and underscores';
  if (hasControls(value)) return 'must not contain line breaks or other control characters';
  const octets = Buffer.byteLength(tagText(tag, value));
  return octets > tagOctets ? `must have at most ${tagOctets} octets together with its name` : null;
}

/** Mail under a topic goes to one address: consent and the unsubscribe link belong to one person. */
export function validateTopic(input: MessageFields, { to, cc, bcc }: Addressed): void {
  if (input.topic === undefined) return;
  if (to.length !== 1) throw invalidField('to', 'must be exactly one address when a topic is given');
  if (cc.length > 0) throw invalidField('cc', 'must be absent when a topic is given');
  if (bcc.length > 0) throw invalidField('bcc', 'must be absent when a topic is given');
  const list = Object.keys(input.headers ?? {}).find((name) => /^list-/i.test(name));
  if (list !== undefined)
    throw invalidField(`headers.${list}`, 'is not allowed when a topic is given: svc sets the List-* headers');
}

const furthestDays = 30;

/** When the message is due; null for at once, also when the time is in the past. */
export function validateSendAfter(sendAfter: string | undefined, now: Date): Date | null {
  if (sendAfter === undefined) return null;
  const at = new Date(sendAfter);
  if (at.getTime() > now.getTime() + furthestDays * 86_400_000)
    throw invalidField('sendAfter', `must be at most ${furthestDays} days ahead`);
  return at.getTime() <= now.getTime() ? null : at;
}
