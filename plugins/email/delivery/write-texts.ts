import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64/index.js';
import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs/index.js';
import MimeNode from 'nodemailer/lib/mime-node/index.js';
import { quotedPrintable } from './quoted-printable.js';

/*
 * Writes messages whose parts are all texts. Plain ASCII is written unchanged; nodemailer encodes the rest. Its own
 * composer, which also supports attachments, takes several times as long for each message (measured).
 */

/** A checked mailbox of a header. */
interface Mailbox {
  /** Empty if there is none. */
  readonly name: string;
  readonly address: string;
}

/** The headers of a message, every value checked: no controls, addresses normalized. */
export interface MessageHead {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: HeaderText;
  readonly messageId: string;
  readonly date: Date;
  /** Additional headers: before the ones above, and after them. */
  readonly before: readonly (readonly [name: string, value: HeaderText])[];
  readonly after: readonly (readonly [name: string, value: HeaderText])[];
}

/** The content of a message whose parts are all texts. */
interface TextContent {
  /** Lines end with CRLF; at least one of the two is not empty. */
  readonly text: string | null;
  readonly html: string | null;
  /** Makes the boundary between parts, which no text contains: `=_` does not occur in quoted-printable. */
  readonly boundary: () => string;
  /** A text that contains it is encoded. */
  readonly boundaryPrefix: string;
}

interface TextMessage extends MessageHead, TextContent {}

/** The text of a header; `encoded` must be encoded although it is ASCII. */
export type HeaderText = string | { readonly encoded: string };

/** @returns the message, with CRLF at the end of every line, in ASCII */
export const writeTexts = (message: TextMessage): string => `${writeHead(message)}${writeContent(message)}`;

/** @returns what follows the other headers: those that describe the content, and the content */
export function writeContent({ text, html, boundary, boundaryPrefix }: TextContent): string {
  const isQuoted = [text, html].some((body) => body?.includes(boundaryPrefix));
  const parts = [...(text ? [part('plain', text, isQuoted)] : []), ...(html ? [part('html', html, isQuoted)] : [])];
  const [only] = parts;
  if (!only) throw new Error('A message needs a text or HTML part.');
  if (parts.length === 1)
    return `${only.encoding}MIME-Version: 1.0\r\n${only.type}\r\n${only.body}${only.body.endsWith('\n') ? '' : '\r\n'}`;
  const made = boundary();
  const written = parts.map(({ type, encoding, body }) => `--${made}\r\n${type}${encoding}\r\n${body}\r\n`).join('');
  return `MIME-Version: 1.0\r\nContent-Type: multipart/alternative;\r\n boundary="${made}"\r\n\r\n${written}--${made}--\r\n`;
}

/** @returns the headers of a message, without those that describe its content, in ASCII */
export const writeHead = (message: MessageHead): string => headWriter(message)(message);

/** The headers that messages of one broadcast have in common. */
type SharedHead = Pick<MessageHead, 'from' | 'cc' | 'replyTo' | 'date'>;

/** Writes the headers of messages. @param shared written once for all of them */
export function headWriter({
  from,
  cc,
  replyTo,
  date,
}: SharedHead): (own: Omit<MessageHead, keyof SharedHead>) => string {
  const sender = senderField(from);
  const others = [...addressField('Cc', cc), ...addressField('Reply-To', replyTo)].join('');
  const dated = `Date: ${date.toUTCString().replace('GMT', '+0000')}\r\n`;
  let subject: HeaderText | undefined;
  let subjectWritten = '';
  return (own) => {
    if (own.subject !== subject) {
      subject = own.subject;
      subjectWritten = textField('Subject', subject);
    }
    const before = own.before.map(([name, value]) => textField(name, value)).join('');
    const after = own.after.map(([name, value]) => textField(name, value)).join('');
    const to = addressField('To', own.to).join('');
    return `${before}${sender}${to}${others}${subjectWritten}${field('Message-ID', `<${own.messageId}>`)}${dated}${after}`;
  };
}

interface Part {
  readonly type: string;
  readonly encoding: string;
  readonly body: string;
}

function part(subtype: 'plain' | 'html', text: string, isQuoted: boolean): Part {
  const encoding = isQuoted ? 'quoted-printable' : encodingOf(text);
  return {
    type: `Content-Type: text/${subtype}; charset=utf-8\r\n`,
    encoding: `Content-Transfer-Encoding: ${encoding}\r\n`,
    body: encoding === '7bit' ? text : encoding === 'base64' ? wrapBase64(encodeBase64(text)) : quotedPrintable(text),
  };
}

const notPlain = /[^\t\r\n -~]/;

/** Base64 for texts with more non-ASCII characters than Latin letters: it is shorter then. */
function encodingOf(text: string): '7bit' | 'base64' | 'quoted-printable' {
  if (!notPlain.test(text)) return hasLongLine(text) ? 'quoted-printable' : '7bit';
  let surplus = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7f || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d)) surplus -= 1;
    else if (isLetter(code)) surplus += 1;
  }
  return surplus > 0 ? 'quoted-printable' : 'base64';
}

const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

function hasLongLine(text: string): boolean {
  for (let from = 0; from <= text.length;) {
    const at = text.indexOf('\r\n', from);
    const end = at === -1 ? text.length : at;
    if (end - from > 76) return true;
    if (at === -1) return false;
    from = end + 2;
  }
  return false;
}

const field = (name: string, value: string): string =>
  `${name.length + value.length < 70 ? `${name}: ${value}` : foldLines(`${name}: ${value}`, 76)}\r\n`;

function textField(name: string, value: HeaderText): string {
  if (typeof value !== 'string') return field(name, encodeWord(value.encoded, 'Q', 52));
  return field(name, notPlain.test(value) ? MimeNode.encodeHeaderValue(name, value) : value);
}

const plainAddress = /^[\w.+-]+@[\w.-]+$/;

function addressField(name: string, mailboxes: readonly Mailbox[]): string[] {
  if (mailboxes.length === 0) return [];
  const isPlain = mailboxes.every((each) => each.name === '' && plainAddress.test(each.address));
  return [
    field(
      name,
      isPlain
        ? mailboxes.map(({ address }) => address).join(', ')
        : MimeNode.encodeHeaderValue(
            name,
            mailboxes.map((each) => ({ ...each })),
          ),
    ),
  ];
}

/** The most recently written sender fields: most messages come from few senders. */
const senders = new Map<string, string>();
const maxSenders = 500;

function senderField(from: Mailbox): string {
  const key = `${from.address} ${from.name}`;
  const known = senders.get(key);
  if (known !== undefined) return known;
  const [made = ''] = addressField('From', [from]);
  if (senders.size >= maxSenders) senders.clear();
  senders.set(key, made);
  return made;
}
