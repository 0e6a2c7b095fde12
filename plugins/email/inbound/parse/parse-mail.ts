import PostalMime, { decodeWords, type Attachment, type Email } from 'postal-mime';
import { newId } from '#core/runtime/id.js';
import { contentTypePattern, messageIdHeader } from '../../templates/header.js';
import { addressesIn } from './addresses.js';
import { sanitized } from './html.js';
import type { ParsedAttachment, ParsedMail, UnparsedMail } from './parsed.js';
import { bareContentId, factsOf, repaired, rewrittenHeaders, type PartFacts } from './repair.js';
import { structureProblem } from './structure.js';

/** The longest text and the longest HTML, in characters. */
const mostText = 1024 * 1024;
const mostAttachments = 500;
const [mostTo, mostNamed, mostAnswered, mostSignatures, mostAuthors] = [100, 200, 20, 10, 10];

/**
 * Parses a message that may be hostile. The time is proportional to its size, and short for most messages. Messages
 * inside it are attachments. Called in a thread, which has a deadline.
 */
export async function parseReceived(raw: Uint8Array): Promise<ParsedMail | UnparsedMail> {
  const read = await readMail(raw);
  return 'refusal' in read ? read : mailOf(read.email, read.facts);
}

/** A message in its parts, and what these say about themselves. */
interface ReadMail {
  readonly email: Email;
  readonly facts: readonly PartFacts[];
}

/** Reads a message that may be hostile. */
export async function readMail(raw: Uint8Array): Promise<ReadMail | UnparsedMail> {
  const problem = structureProblem(raw);
  if (problem) return problem;
  const { message, arrived, facts } = repaired(raw);
  const email = await PostalMime.parse(message, {
    maxNestingDepth: 50,
    maxHeadersSize: 1024 * 1024,
    maxRfc822NestingDepth: 0,
    forceRfc822Attachments: true,
  }).catch(() => null);
  if (email === null) return { refusal: 'too_complex', problem: 'has parts nested too deeply, or too many headers' };
  if (email.attachments.length > mostAttachments)
    return { refusal: 'too_complex', problem: `has more than ${mostAttachments} attachments` };
  const others = email.headers.filter(({ key }) => !rewrittenHeaders.includes(key));
  const headers = [...others, ...arrived.map((each) => ({ ...each, originalKey: each.key }))];
  return { email: { ...email, headers }, facts };
}

function mailOf(email: Email, facts: readonly PartFacts[]): ParsedMail {
  const headers = headersOf(email);
  const addresses = (key: string, most: number): string[] =>
    email.headers
      .filter((each) => each.key === key)
      .flatMap(({ value }) => addressesIn(value).slice(0, most))
      .map((address) => plain(address, 254))
      .slice(0, most);
  const files = email.attachments.map((file) => ({ file, about: factsOf(facts, file.contentId) }));
  const attachments = files.map(({ file, about }, index) => attachmentOf(file, about, index));
  const page = facts.find(({ contentType }) => /^text\/html\b/i.test(contentType));
  const inline = {
    base: page?.base ?? '',
    files: files.map(({ file, about }, index) => ({
      attachmentId: attachments[index]?.attachmentId ?? '',
      contentId: about ? about.contentId : bareContentId(file.contentId ?? '') || null,
      location: about?.location ?? null,
    })),
  };
  const authors = addresses('from', mostAuthors);
  const markup = wellFormed(email.html ?? '');
  const html = markup === '' ? null : sanitized(markup.slice(0, mostText), inline);
  const isUnreadable = markup !== '' && html === null;
  const text = wellFormed(email.text ?? (isUnreadable ? markup.replaceAll(/<[^<>]*>/g, ' ') : ''));
  return {
    headers,
    from: authors[0] ?? null,
    to: addresses('to', mostTo),
    senders: [...authors.slice(0, 1), ...addresses('sender', 1), ...addresses('reply-to', 10)],
    named: [...addresses('to', mostNamed), ...addresses('cc', mostNamed)].slice(0, mostNamed),
    subject: plain(email.subject ?? '', 2_000) || null,
    messageId: plain((email.messageId ?? '').replace(/^\s*<|>\s*$/g, ''), 900, /[^!-~]/g) || null,
    answered: answeredIn(headers),
    text: text === '' ? null : text.slice(0, mostText),
    html,
    attachments: [
      ...attachments,
      ...(text.length > mostText ? [whole('message.txt', 'text/plain', text)] : []),
      ...(markup.length > mostText || isUnreadable ? [whole('message.html', 'text/html', markup)] : []),
    ],
    automatic: isAutomatic(headers),
    authors,
    isSigned: email.headers.some(({ key }) => key === 'dkim-signature'),
    signingKeys: signingKeysOf(email),
  };
}

/** A text that is not kept completely in its field, as an attachment. */
const whole = (filename: string, contentType: string, text: string): ParsedAttachment => ({
  attachmentId: newId(),
  filename,
  contentType,
  content: new Uint8Array(Buffer.from(text)),
});

/** By lower-case name, decoded; repeated ones joined by line breaks. */
export function headersOf({ headers }: Email): Record<string, string> {
  const found = new Map<string, string[]>();
  for (const { key, value } of headers) {
    const name = plain(key, 200, /[^!-9;-~]/g);
    if (name === '') continue;
    const values = found.get(name) ?? [];
    values.push(wellFormed(decodeWords(value)));
    found.set(name, values);
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, values.join('\n')]));
}

/** A file with a name and a type that are safe to store and to send. */
export function attachmentOf(
  { filename, mimeType, content }: Attachment,
  about: PartFacts | undefined,
  index: number,
): ParsedAttachment {
  const isMessage = mimeType === 'message/rfc822';
  const named = plain(filename ?? '', 200).replace(/[/\\]/g, '_');
  return {
    attachmentId: newId(),
    filename: named === '' ? (isMessage ? 'message.eml' : `attachment-${index + 1}`) : named,
    contentType: contentTypeOf(mimeType, about?.contentType ?? ''),
    content: typeof content === 'string' ? new Uint8Array(Buffer.from(content)) : new Uint8Array(content),
  };
}

/**
 * The type of an attachment, with the parameters that tell how to read it, such as `text/calendar; method=REQUEST`:
 * without its name, and without the boundary of its parts.
 */
function contentTypeOf(mimeType: string, written: string): string {
  if (!/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mimeType)) return 'application/octet-stream';
  if (!written.toLowerCase().startsWith(mimeType)) return mimeType;
  const isCalendar = /^(?:text\/calendar|application\/ics)$/.test(mimeType);
  const parameters = [...written.matchAll(/;\s*([\w!#$&^.+-]{1,60})\s*=\s*("[ !#-[\]-~]{0,100}"|[^\s;"]{1,100})/g)]
    .map(([, name = '', value = '']) => ({ name: name.toLowerCase(), value }))
    .filter(({ name }) => name !== 'name' && name !== 'boundary')
    // The parser reads calendars into Unicode.
    .map(({ name, value }) => `${name}=${isCalendar && name === 'charset' ? 'utf-8' : value}`);
  const whole = [mimeType, ...new Set(parameters)].join('; ');
  return whole.length <= 255 && new RegExp(contentTypePattern).test(whole) ? whole : mimeType;
}

/** Our own ids, and those by which providers such as Amazon SES replace them. */
const messageIdForm = /<([\w.+=-]{16,255})@/g;

/** RFC 5322 3.6.4: In-Reply-To names the answered message, References ends with it. */
function answeredIn(headers: Readonly<Record<string, string>>): string[] {
  const idsIn = (name: string): string[] => [...(headers[name] ?? '').matchAll(messageIdForm)].map(([, id = '']) => id);
  return [...new Set([...idsIn('in-reply-to'), ...idsIn('references').reverse()])].slice(0, mostAnswered);
}

function signingKeysOf({ headers }: Email): string[] {
  const names = headers
    .filter(({ key }) => key === 'dkim-signature')
    .slice(0, mostSignatures)
    .map(({ value }) => {
      const tag = (name: string): string =>
        value
          .split(';')
          .map((each) => each.trim())
          .find((each) => each.startsWith(`${name}=`))
          ?.slice(name.length + 1)
          .trim() ?? '';
      return `${tag('s')}._domainkey.${tag('d')}`;
    });
  return [...new Set(names)].filter((name) => /^[\w-]+(\.[\w-]+)+$/.test(name) && name.length <= 253);
}

/** A line of text: well-formed, without controls (or `unwanted`), cut to `most` characters. */
export const plain = (text: string, most: number, unwanted = /\p{Cc}+/gu): string =>
  wellFormed(
    Array.from(text.slice(0, 4 * most).replace(unwanted, ' '))
      .slice(0, most)
      .join(''),
  ).trim();

/** Lone surrogates and NUL become U+FFFD: the database would refuse or change them. */
export const wellFormed = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '\uFFFD');

/**
 * Whether the headers indicate that a program sent the message: an out-of-office reply, a report, a mailing list, or
 * our own mail that was returned. RFC 3834 2: programs do not answer such mail. Precedence is not a standard, but older
 * than the standard and in wide use.
 * @param headers by lower-case name
 */
function isAutomatic(headers: Readonly<Record<string, string>>): boolean {
  const valueOf = (name: string): string => (headers[name] ?? '').trim().toLowerCase();
  const has = (name: string): boolean => headers[name] !== undefined;
  return (
    (has('auto-submitted') && !/^no\b/.test(valueOf('auto-submitted'))) ||
    /^(bulk|list|junk|auto[_-]reply)\b/.test(valueOf('precedence')) ||
    ['x-autoreply', 'x-autorespond', 'x-auto-reply', 'list-id', 'list-unsubscribe'].some(has) ||
    has(messageIdHeader.toLowerCase()) ||
    /^multipart\/report\b/.test(valueOf('content-type')) ||
    /\bmailer-daemon@/.test(valueOf('from')) ||
    valueOf('return-path') === '<>'
  );
}
