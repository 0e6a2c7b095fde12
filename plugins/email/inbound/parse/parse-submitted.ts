import type { Address, Email } from 'postal-mime';
import { isMessageId, maxThreadOctets, messageIdsIn } from '../../templates/thread-headers.js';
import { addressesIn } from './addresses.js';
import { attachmentOf, headersOf, plain, readMail, wellFormed } from './parse-mail.js';
import type { SubmittedAttachment, SubmittedMail, UnparsedMail } from './parsed.js';
import { bareContentId, factsOf, type PartFacts } from './repair.js';

/** What email.send takes: further or longer content is sent as it is. */
const [mostText, mostAttachments] = [1024 * 1024, 20];
const [mostShown, mostReplyTo, mostHeaders, mostHeaderOctets] = [500, 10, 30, 998];

/**
 * Parses a message that a program submits, in a thread as `parseReceived`, and as hostile.
 * @returns its content in the terms of email.send; `entity` if these cannot express it
 */
export async function parseSubmitted(raw: Uint8Array): Promise<SubmittedMail | UnparsedMail> {
  const read = await readMail(raw);
  if ('refusal' in read) return read;
  const { email, facts } = read;
  const headers = headersOf(email);
  const [text, html] = [wellFormed(email.text ?? ''), wellFormed(email.html ?? '')];
  const attachments = email.attachments.map((file, index): SubmittedAttachment => {
    const about = factsOf(facts, file.contentId);
    const { filename, contentType, content } = attachmentOf(file, about, index);
    return { filename, contentType, content, contentId: inlineId(file.contentId, about, html) };
  });
  const isExpressed =
    (text !== '' || html !== '') &&
    text.length <= mostText &&
    html.length <= mostText &&
    attachments.length <= mostAttachments &&
    hasDistinctIds(attachments) &&
    facts.every(({ contentType }) => isExpressible(contentType));
  const names = namesIn(email);
  const mailboxes = (key: string, most: number): SubmittedMail['to'] =>
    email.headers
      .filter((each) => each.key === key)
      .flatMap(({ value }) => addressesIn(value).slice(0, most))
      .slice(0, most)
      .map((address) => ({ address: plain(address, 254), name: names.get(address.toLowerCase()) ?? null }));
  return {
    from: mailboxes('from', 1)[0] ?? null,
    to: mailboxes('to', mostShown),
    cc: mailboxes('cc', mostShown),
    replyTo: mailboxes('reply-to', mostReplyTo),
    subject: plain(email.subject ?? '', 998) || null,
    messageId: messageIdOf(headers['message-id'] ?? ''),
    thread: threadOf(headers),
    headers: otherHeaders(email),
    own: ownFields(headers),
    text: text === '' ? null : text.slice(0, mostText),
    html: html === '' ? null : html.slice(0, mostText),
    attachments,
    entity: isExpressed ? null : entityOf(raw),
  };
}

/** The content types that email.send can express, as text, HTML and attachments. */
function isExpressible(contentType: string): boolean {
  const [type = ''] = contentType.toLowerCase().split(/[\s;]/, 1);
  if (type.startsWith('multipart/')) return /^multipart\/(?:mixed|alternative|related)$/.test(type);
  return !/^(?:message\/.*|text\/(?:calendar|x-amp-html)|application\/(?:x-)?pkcs7-(?:mime|signature))$/.test(type);
}

const hasDistinctIds = (attachments: readonly SubmittedAttachment[]): boolean => {
  const ids = attachments.flatMap(({ contentId }) => contentId ?? []);
  return new Set(ids).size === ids.length;
};

/** The Content-ID of a file that the HTML shows. Programs also give ids to files that are only attached. */
function inlineId(given: string | undefined, about: PartFacts | undefined, html: string): string | null {
  const id = about ? about.contentId : bareContentId(given ?? '');
  return id !== null && /^[A-Za-z0-9._@-]{1,200}$/.test(id) && html.includes(`cid:${id}`) ? id : null;
}

function namesIn(email: Email): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (each: Address): void => {
    if (each.group) each.group.forEach(add);
    else if (each.address && each.name) {
      const name = plain(each.name, 120);
      // Mail programs would decode such a name once more (RFC 2047).
      if (name !== '' && !/=\?[^?]*\?[bq]\?/i.test(name)) names.set(each.address.toLowerCase(), name);
    }
  };
  for (const each of [email.from, ...(email.to ?? []), ...(email.cc ?? []), ...(email.replyTo ?? [])])
    if (each) add(each);
  return names;
}

/** A valid Message-ID (RFC 5322 3.6.4) without its angle brackets, short enough for every server; else null. */
function messageIdOf(value: string): string | null {
  const [, id = ''] = /^\s*<([^<>\s]{3,250})>\s*$/.exec(value) ?? [];
  return isMessageId(id) && /^[\w!#$%&'*+/=?^`{|}~.-]+@[\w.:[\]-]+$/.test(id) ? id : null;
}

function threadOf(headers: Readonly<Record<string, string>>): SubmittedMail['thread'] {
  const idsIn = (name: string): string => shortened(messageIdsIn(headers[name] ?? ''));
  const [inReplyTo, references] = [idsIn('in-reply-to'), idsIn('references')];
  return {
    ...(inReplyTo === '' ? {} : { 'In-Reply-To': inReplyTo }),
    ...(references === '' ? {} : { References: references }),
  };
}

/** As many of the last ids as fit. */
function shortened(ids: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const id of ids.toReversed()) {
    length += id.length + 1;
    if (length > maxThreadOctets) break;
    kept.unshift(id);
  }
  return kept.join(' ');
}

/** X-* and List-*, the first of each name, as far as they fit into a line. */
function otherHeaders({ headers }: Email): Record<string, string> {
  const found = new Map<string, string>();
  for (const { key, originalKey, value } of headers) {
    if (!/^(?:x|list)-[!-9;-~]{1,70}$/.test(key) || key.startsWith('x-svc-') || found.size >= mostHeaders) continue;
    const text = plain(value, mostHeaderOctets);
    if (text !== '' && ![...found.keys()].some((name) => name.toLowerCase() === key)) found.set(originalKey, text);
  }
  return Object.fromEntries(found);
}

const ownNames = ['x-svc-topic', 'x-svc-template', 'x-svc-variables', 'x-svc-tags', 'x-svc-send-after'] as const;

function ownFields(headers: Readonly<Record<string, string>>): SubmittedMail['own'] {
  const given = [...ownNames, 'idempotency-key'].flatMap((name) => {
    const value = headers[name]?.replaceAll(/[\r\n]+\s*/g, ' ').trim();
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** The content of a message with the headers that describe it (RFC 2045), byte for byte. */
function entityOf(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const kept: Buffer[] = [];
  let isKept = false;
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.toString('latin1', start, end);
    if (line.trim() === '') break;
    if (!/^[ \t]/.test(line)) isKept = /^(?:content-[\w-]+|mime-version)\s*:/i.test(line);
    // Headers are ASCII without controls: anything else could be read as another header.
    if (isKept) kept.push(Buffer.from(`${line.trimEnd().replaceAll(/[^\t -~]/g, '?')}\r\n`));
    start = end;
  }
  const whole = Buffer.concat([...kept, bytes.subarray(start)]);
  return new Uint8Array(whole);
}
