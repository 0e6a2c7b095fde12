import type { Email } from 'postal-mime';
import type { Fields } from './fields.js';

/*
 * Bounces without a machine-readable part: from Exim (the header X-Failed-Recipients), from qmail (QSBMF,
 * https://cr.yp.to/proto/qsbmf.txt) and from old versions of Postfix (`<ada@example.com>: host mx.example.com said: 550
 * ...`).
 *
 * Anyone can send such a mail, so every step takes a time that is proportional to its length.
 */

const mostRecipients = 100;
/** Characters of an address with its domain (RFC 5321 §4.5.3.1), and some more for a wrong one. */
const mostAddressLength = 1_000;

/** Such a mail states that a message is late, not that it failed. */
const delayGrammar =
  /warning message only|do not need to resend|not yet been delivered|will (?:be retried|keep trying|continue to)|delivery attempts will continue/i;

/**
 * Reads a plain-text bounce.
 * @returns the fields that a delivery status notification would have, by failed recipient; none for any other mail
 */
export function plainTextFailures({ headers, from, text = '' }: Email): Fields[] {
  const failed = headers.find(({ key }) => key === 'x-failed-recipients')?.value;
  const isFromMailSystem = /^(?:mailer-daemon|postmaster)@/i.test(from?.address ?? '');
  if ((failed === undefined && !isFromMailSystem) || delayGrammar.test(text)) return [];
  const paragraphs = paragraphsOf(text);
  const named = (failed ?? '').split(',').flatMap((each) => each.split(/[<>\s]/).find(isAddress) ?? []);
  const listed = paragraphs.flatMap((paragraph) => leadingAddress(paragraph) ?? []);
  return [...new Set([...named, ...listed])]
    .slice(0, mostRecipients)
    .map((address) => failureOf(address, reasonFor(address, paragraphs)));
}

/** The paragraphs before the returned message. */
function paragraphsOf(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const returned = lines.findIndex(beginsReturnedMessage);
  const said = returned < 0 ? lines : lines.slice(0, returned);
  return said.join('\n').split(/\n[ \t]*\n/);
}

/** Whether a line such as `------ This is a copy of the message, including all the headers. ------` begins it. */
const beginsReturnedMessage = (line: string): boolean =>
  line.startsWith('---') && /\b(?:copy|headers?|message|original)\b/i.test(line);

const isAddress = (word: string): boolean => {
  const at = word.indexOf('@', 1);
  return at > 0 && at < word.length - 1 && word.length <= mostAddressLength;
};

/** The address that a paragraph begins with, as in `<ada@example.com>: host mx.example.com said`. */
function leadingAddress(paragraph: string): string | undefined {
  const [, address = ''] = /^\n*<([^<>\s]*)>:/.exec(paragraph) ?? [];
  return isAddress(address) ? address : undefined;
}

/** The text after the address in the first paragraph that names it. */
function reasonFor(address: string, paragraphs: readonly string[]): string {
  const paragraph = paragraphs.find((each) => each.includes(address)) ?? '';
  return paragraph
    .slice(paragraph.indexOf(address) + address.length)
    .slice(0, 10_000)
    .replace(/^>?:?\s*/, '')
    .replace(/\n[ \t]+/g, '\n')
    .slice(0, 2_000);
}

const failureOf = (address: string, reason: string): Fields =>
  new Map([
    ['final-recipient', address],
    ['action', 'failed'],
    ['diagnostic-code', reason],
  ]);
