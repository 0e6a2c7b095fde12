import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { encodeWord } from 'nodemailer/lib/mime-funcs/index.js';
import MimeNode from 'nodemailer/lib/mime-node/index.js';
import { headWriter, writeContent, writeHead, writeTexts, type HeaderText, type MessageHead } from './write-texts.js';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import { hasControls } from '#core/messaging/input.js';
import {
  contentTypePattern,
  displayNameProblem,
  hasEncodedWord,
  hasLongGap,
  hasUnfoldableWord,
  headerProblem,
  messageIdHeader,
  subjectProblem,
} from '../templates/header.js';
import { isMessageId, isThreadHeader, threadHeaderProblem } from '../templates/thread-headers.js';
import type { ShownMailbox, Submission } from '../tables/message.js';

interface ComposableAttachment {
  filename: string;
  contentType: string;
  /** The name in `cid:` links in the HTML; null for an attachment that is not inline. */
  contentId: string | null;
  content: Buffer;
}

/** Everything a message contains. Bcc is absent on purpose: its recipients are only in the envelope. */
export interface Composable {
  messageId: string;
  messageIdDomain: string;
  date: Date;
  from: { name: string | null; address: string };
  to: string[];
  cc: string[];
  replyTo: string[];
  /** Display names of to, cc and replyTo, by address. */
  names: Readonly<Record<string, string>>;
  subject: string;
  text: string | null;
  html: string | null;
  headers: Record<string, string>;
  attachments: readonly ComposableAttachment[];
  /** What a message that came by SMTP keeps. */
  submission?: Pick<Submission, 'messageIdHeader' | 'shown'> | undefined;
  /** The content with its own Content-* headers, in place of text, html and attachments. */
  entity?: Buffer | undefined;
}

/** A part of the message must not be sent. Composing it again would fail in the same way. */
export class MessageUnsendable extends Error {
  override readonly name = 'MessageUnsendable';
}

/**
 * Composes the whole message (RFC 5322, MIME). Nothing in it depends on the clock or on chance, so composing it again
 * after a crash gives the same octets, with the same Message-ID.
 * @returns the message, with CRLF at the end of every line, as it is signed and sent
 * @throws MessageUnsendable if an address, header, name or attachment is not valid. Callers check them before; this is
 * the last check.
 */
export const composeMessage = async (message: Composable): Promise<Buffer> => {
  const shown = message.submission?.shown;
  const fields = {
    from: { name: displayName(message.from.name), address: bare(message.from.address) },
    to: shown ? shown.to.map(shownMailbox) : mailboxes(message.to, message.names),
    cc: shown ? shown.cc.map(shownMailbox) : mailboxes(message.cc, message.names),
    replyTo: mailboxes(message.replyTo, message.names),
    subject: validated(message.subject, 'subject', subjectProblem),
    messageId: givenId(message) ?? messageIdOf(message),
    date: dateOf(message),
  };
  const headers = Object.entries(message.headers).map(customHeader);
  const [text, html] = [message.text, message.html].map((body) => body && withCrlf(body));
  const head: MessageHead = {
    ...fields,
    before: headers.map(({ key, value }) => [headerName(key), value]),
    subject: unstructured(fields.subject),
    after: [[headerName(messageIdHeader), message.messageId]],
  };
  if (message.entity) return Buffer.concat([Buffer.from(writeHead(head), 'latin1'), message.entity]);
  if (message.attachments.length === 0 && (text || html)) {
    const written = writeTexts({
      ...head,
      text: text ?? null,
      html: html ?? null,
      boundary: () => `${boundaryPrefix}-${baseBoundary(message)}-Part_1`,
      boundaryPrefix,
    });
    return Buffer.from(written, 'latin1');
  }
  const root = new MailComposer({
    disableFileAccess: true,
    disableUrlAccess: true,
    boundaryPrefix,
    baseBoundary: baseBoundary(message),
    ...fields,
    messageId: `<${fields.messageId}>`,
    text: text ?? undefined,
    html: html ?? undefined,
    // A body that contains our boundary is sent as quoted-printable, in which `=_` cannot occur (RFC 2045 6.7).
    encoding: [text, html].some((body) => body?.includes(boundaryPrefix)) ? 'quoted-printable' : undefined,
    headers: headers.map(({ key, value }) => ({ key, value: prepared(value) })),
    attachments: message.attachments.map(attachment),
  }).compile();
  root.setHeader(messageIdHeader, message.messageId);
  root.setHeader('Subject', prepared(unstructured(message.subject)));
  return root.build();
};

/** What the messages of a broadcast have in common. */
type SharedParts = Pick<Composable, 'messageIdDomain' | 'date' | 'from' | 'replyTo'>;
/** What differs between them. */
type OwnParts = Pick<Composable, 'messageId' | 'subject' | 'text' | 'html' | 'headers'> & { readonly to: string };

/**
 * Composes messages to one recipient each, without attachments, that have most of their headers in common.
 * @returns the function that composes one, as `composeMessage` does: the same octets, as a text in ASCII.
 *   @throws MessageUnsendable
 */
export function messageComposer(shared: SharedParts): (own: OwnParts) => string {
  const names = {};
  const write = headWriter({
    from: { name: displayName(shared.from.name), address: bare(shared.from.address) },
    cc: [],
    replyTo: mailboxes(shared.replyTo, names),
    date: dateOf(shared),
  });
  return ({ messageId, to, subject, text, html, headers }) => {
    const ids = { messageId, messageIdDomain: shared.messageIdDomain };
    const before = Object.entries(headers).map(customHeader);
    const head = write({
      before: before.map(({ key, value }) => [headerName(key), value]),
      to: mailboxes([to], names),
      subject: unstructured(validated(subject, 'subject', subjectProblem)),
      messageId: messageIdOf(ids),
      after: [[headerName(messageIdHeader), messageId]],
    });
    const boundary = (): string => `${boundaryPrefix}-${baseBoundary(ids)}-Part_1`;
    const texts = { text: text && withCrlf(text), html: html && withCrlf(html) };
    return `${head}${writeContent({ ...texts, boundary, boundaryPrefix })}`;
  };
}

const refuse = (what: string, problem: string): never => {
  throw new MessageUnsendable(`${what} ${problem}`);
};

const validated = (value: string, what: string, problemOf: (value: string) => string | null): string => {
  const problem = problemOf(value);
  return problem === null ? value : refuse(what, problem);
};

// Always {name, address} of one parsed mailbox: given a string, nodemailer parses `a@x, b@y` as two addresses and
// `team: a@x;` as its member.
const bare = (text: string): string => {
  const parsed = parseAddress(text);
  return parsed.ok ? parsed.address : refuse('address', parsed.problem);
};

const mailboxes = (addresses: string[], names: Composable['names']): { name: string; address: string }[] =>
  addresses.map((address) => ({ name: displayName(names[address] ?? null), address: bare(address) }));

const shownMailbox = ({ name, address }: ShownMailbox): { name: string; address: string } => ({
  name: displayName(name),
  address: bare(address),
});

const displayName = (name: string | null): string => validated(name ?? '', 'display name', displayNameProblem);

const messageIdOf = ({ messageId, messageIdDomain }: Pick<Composable, 'messageId' | 'messageIdDomain'>): string =>
  /^[\w-]+$/.test(messageId) ? bare(`${messageId}@${messageIdDomain}`) : refuse('message id', 'is not a single word');

/** The Message-ID that a program chose for a submitted message. */
const givenId = ({ submission }: Composable): string | null =>
  submission?.messageIdHeader && isMessageId(submission.messageIdHeader) ? submission.messageIdHeader : null;

const dateOf = ({ date }: Pick<Composable, 'date'>): Date =>
  Number.isNaN(date.getTime()) ? refuse('date', 'is not a date') : date;

const customHeader = ([key, text]: [string, string]) => {
  if (isThreadHeader(key)) return { key, value: validated(text, `${key}:`, threadHeaderProblem) };
  const value = validated(text, 'header:', () => headerProblem(key, text));
  return { key, value: /^x-/i.test(key) ? unstructured(value) : value };
};

// Non-ASCII text is encoded. ASCII text is not changed, except for words and gaps that are too long for a line and text
// that is itself an encoded word (RFC 2047), which could hide a CR LF.
const unstructured = (text: string): HeaderText =>
  /^[ -~]*$/.test(text) && (hasUnfoldableWord(text) || hasLongGap(text) || hasEncodedWord(text))
    ? { encoded: text }
    : text;

/** The same for nodemailer. */
const prepared = (value: HeaderText): string | { prepared: true; foldLines: true; value: string } =>
  typeof value === 'string' ? value : { prepared: true, foldLines: true, value: encodeWord(value.encoded, 'Q', 52) };

/** Names of headers as nodemailer writes them: X-Pm for X-PM. */
const headerNames = new Map<string, string>();
const maxHeaderNames = 1_000;

function headerName(key: string): string {
  const known = headerNames.get(key);
  if (known !== undefined) return known;
  const lines = new MimeNode('text/plain').setHeader(key, 'x').buildHeaders().split('\r\n');
  const name = lines.find((line) => line.endsWith(': x'))?.slice(0, -3) ?? key;
  if (headerNames.size >= maxHeaderNames) headerNames.clear();
  headerNames.set(key, name);
  return name;
}

// RFC 5321 2.3.8: CR and LF only together. A single one ends a line for some servers and not for others.
const withCrlf = (body: string): string => body.replace(/\r\n?|\n/g, '\r\n');

const boundaryPrefix = '=_svc';
const baseBoundary = (message: Pick<Composable, 'messageId' | 'messageIdDomain'>): string =>
  createHash('sha256').update(messageIdOf(message)).digest('hex').slice(0, 32);

const CONTENT_TYPE = new RegExp(contentTypePattern, 'u');
const CONTENT_ID = /^[!#-'*+./0-9=?@A-Z^-~-]{1,200}$/; // RFC 2392 2, without what needs quoting

// Built field by field, so that other fields of the object (`path`, `href`, `raw`) never reach nodemailer.
const attachment = ({ filename, contentType, contentId, content }: ComposableAttachment) => ({
  filename: validated(filename, 'attachment name', (name) =>
    hasControls(name) ? 'must not contain control characters' : null,
  ),
  contentType: contentTypeOf(contentType),
  ...(contentId === null ? {} : { cid: CONTENT_ID.test(contentId) ? contentId : refuse('content id', 'is not valid') }),
  contentDisposition: contentId === null ? 'attachment' : 'inline',
  content: Buffer.isBuffer(content) ? content : refuse('attachment', 'has no content'),
});

// RFC 2046 5.1 and 5.2.1 forbid base64 for multipart and message types, and octets sent without it may be changed in
// transit. Such a file is sent as application/octet-stream.
const contentTypeOf = (contentType: string): string => {
  if (contentType.length > 255 || !CONTENT_TYPE.test(contentType)) return refuse('content type', 'is not valid');
  return /^(?:multipart|message)\//i.test(contentType) ? 'application/octet-stream' : contentType;
};
