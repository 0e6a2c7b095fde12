import PostalMime, { addressParser, decodeWords, type Address, type Attachment, type Email } from 'postal-mime';
import { idForm } from '#core/runtime/id-form.js';
import { newId } from '#core/runtime/id.js';
import { isAutomatic } from './automatic.js';
import { sanitized } from './html.js';
import type { ParsedAttachment, ParsedMail, UnparsedMail } from './parsed.js';
import { repaired } from './repair.js';
import { structureProblem } from './structure.js';

/** The longest text and the longest HTML, in characters. */
const mostText = 1024 * 1024;
const mostAttachments = 500;
const [mostTo, mostNamed, mostAnswered, mostSignatures, mostAuthors] = [100, 200, 20, 10, 10];

/**
 * Parses a message that may be hostile: takes time in proportion to its size, and little of it for most. Messages inside of it are
 * attachments. Called in a thread, which has a deadline.
 */
export async function parseReceived(raw: Uint8Array): Promise<ParsedMail | UnparsedMail> {
  const problem = structureProblem(raw);
  if (problem) return problem;
  const { message, arrived } = repaired(raw);
  const email = await PostalMime.parse(message, {
    maxNestingDepth: 50,
    maxHeadersSize: 1024 * 1024,
    maxRfc822NestingDepth: 0,
    forceRfc822Attachments: true,
  }).catch(() => null);
  if (email === null) return { refusal: 'too_complex', problem: 'has parts nested too deeply, or too many headers' };
  if (email.attachments.length > mostAttachments)
    return { refusal: 'too_complex', problem: `has more than ${mostAttachments} attachments` };
  const others = email.headers.filter(({ key }) => key !== 'content-type' && key !== 'content-transfer-encoding');
  return mailOf({ ...email, headers: [...others, ...arrived.map((each) => ({ ...each, originalKey: each.key }))] });
}

function mailOf(email: Email): ParsedMail {
  const headers = headersOf(email);
  const addresses = (list: readonly Address[] | undefined, most: number): string[] =>
    (list ?? [])
      .flatMap((each) => each.group ?? [each])
      .map(({ address }) => plain(address, 254))
      .filter((address) => address !== '')
      .slice(0, most);
  const attachments = email.attachments.map(attachmentOf);
  const ids = new Map(
    email.attachments.flatMap(({ contentId }, index) => {
      const id = attachments[index]?.attachmentId;
      return contentId === undefined || id === undefined ? [] : [[contentId.replace(/^<|>$/g, ''), id] as const];
    }),
  );
  const [from, sender] = [email.from, email.sender].map((each) => addresses(each && [each], 1));
  const markup = wellFormed(email.html ?? '');
  const html = markup === '' ? null : sanitized(markup.slice(0, mostText), ids);
  const isUnreadable = markup !== '' && html === null;
  const text = wellFormed(email.text ?? (isUnreadable ? markup.replaceAll(/<[^<>]*>/g, ' ') : ''));
  return {
    headers,
    from: from?.[0] ?? null,
    to: addresses(email.to, mostTo),
    senders: [...(from ?? []), ...(sender ?? []), ...addresses(email.replyTo, 10)],
    named: addresses([...(email.to ?? []), ...(email.cc ?? [])], mostNamed),
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
    authors: email.headers
      .filter(({ key }) => key === 'from')
      .flatMap(({ value }) => addresses(addressParser(value), mostAuthors))
      .slice(0, mostAuthors),
    isSigned: email.headers.some(({ key }) => key === 'dkim-signature'),
    signingKeys: signingKeysOf(email),
  };
}

/** A text of which not everything is kept in its field, as an attachment. */
const whole = (filename: string, contentType: string, text: string): ParsedAttachment => ({
  attachmentId: newId(),
  filename,
  contentType,
  content: new Uint8Array(Buffer.from(text)),
});

function headersOf({ headers }: Email): Record<string, string> {
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

function attachmentOf({ filename, mimeType, content }: Attachment, index: number): ParsedAttachment {
  const isMessage = mimeType === 'message/rfc822';
  const named = plain(filename ?? '', 200).replace(/[/\\]/g, '_');
  return {
    attachmentId: newId(),
    filename: named === '' ? (isMessage ? 'message.eml' : `attachment-${index + 1}`) : named,
    contentType: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mimeType) ? mimeType : 'application/octet-stream',
    content: typeof content === 'string' ? new Uint8Array(Buffer.from(content)) : new Uint8Array(content),
  };
}

const messageIdForm = new RegExp(`<(${idForm})@`, 'gi');

/** RFC 5322 3.6.4: In-Reply-To names the answered message, References ends with it. */
function answeredIn(headers: Readonly<Record<string, string>>): string[] {
  const idsIn = (name: string): string[] =>
    [...(headers[name] ?? '').matchAll(messageIdForm)].map(([, id = '']) => id.toLowerCase());
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
const plain = (text: string, most: number, unwanted = /\p{Cc}+/gu): string =>
  wellFormed(
    Array.from(text.slice(0, 4 * most).replace(unwanted, ' '))
      .slice(0, most)
      .join(''),
  ).trim();

/** Lone surrogates and NUL become U+FFFD: the database would refuse or change them. */
const wellFormed = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '\uFFFD');
