import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { mailboxKey, parseAddress } from '#core/kernel/schema/email-address.js';
import { parseMailbox } from '#core/kernel/schema/mailbox.js';
import { validateTags } from '#core/messaging/input.js';
import { displayNameProblem, headerProblem } from '../templates/header.js';
import type { MessageFields } from './input.js';
import { relayHeaderProblem } from './relay-headers.js';

/** One bare address. @throws invalid_input naming the field, which may be an element: `to[2]` */
export function validateAddress(field: string, value: string): string {
  const parsed = parseAddress(value);
  if (!parsed.ok) throw invalidField(field, parsed.problem);
  return parsed.address;
}

interface Mailbox {
  readonly address: string;
  /** The display name; null if there is none. */
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
  /** Display names by address. Nobody sees the names of bcc. */
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
 * Display name, headers and tags: none may contain characters that start another header (RFC 5322 §2.2).
 * @param relayHeaders names of relay headers that the operator allows
 */
export function validateHeaders(input: MessageFields, relayHeaders: readonly string[]): void {
  const name = input.fromName === undefined ? null : displayNameProblem(input.fromName);
  if (name !== null) throw invalidField('fromName', name);
  for (const [header, value] of Object.entries(input.headers ?? {})) {
    const problem = headerProblem(header, value) ?? relayHeaderProblem(header, relayHeaders);
    if (problem !== null) throw invalidField(`headers.${header.slice(0, 80)}`, problem);
  }
  validateTags(input.tags);
}

/** Mail under a topic is sent to one address: consent and the unsubscribe link belong to one person. */
export function validateTopic(input: MessageFields, { to, cc, bcc }: Addressed): void {
  if (input.topic === undefined) return;
  if (to.length !== 1) throw invalidField('to', 'must be exactly one address when a topic is given');
  if (cc.length > 0) throw invalidField('cc', 'must be absent when a topic is given');
  if (bcc.length > 0) throw invalidField('bcc', 'must be absent when a topic is given');
  const list = Object.keys(input.headers ?? {}).find((name) => /^list-/i.test(name));
  if (list !== undefined)
    throw invalidField(`headers.${list}`, 'is not allowed when a topic is given: svc sets the List-* headers');
}
