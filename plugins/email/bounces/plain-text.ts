import type { Email } from 'postal-mime';
import type { Fields } from './fields.js';

/*
 * Bounces without a machine-readable part: from Exim (the header X-Failed-Recipients), from qmail (QSBMF,
 * https://cr.yp.to/proto/qsbmf.txt) and from old versions of Postfix (`<ada@example.com>: host mx.example.com said: 550
 * ...`).
 */

const mostRecipients = 100;

/** The beginning of the returned message. */
const returnedGrammar = /^-{3,}.*\b(?:copy|headers?|message|original)\b.*$/im;

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
  const [said = ''] = text.replace(/\r\n?/g, '\n').split(returnedGrammar, 1);
  const paragraphs = said.split(/\n[ \t]*\n/);
  const named = (failed ?? '').split(',').flatMap((each) => /[^<>\s]+@[^<>\s]+/.exec(each)?.[0] ?? []);
  const listed = paragraphs.flatMap((paragraph) => /^\n*<([^<>\s]+@[^<>\s]+)>:/.exec(paragraph)?.[1] ?? []);
  return [...new Set([...named, ...listed])]
    .slice(0, mostRecipients)
    .map((address) => failureOf(address, reasonFor(address, paragraphs)));
}

/** The text after the address in the first paragraph that names it. */
function reasonFor(address: string, paragraphs: readonly string[]): string {
  const paragraph = paragraphs.find((each) => each.includes(address)) ?? '';
  return paragraph
    .slice(paragraph.indexOf(address) + address.length)
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
