import PostalMime, { type Email } from 'postal-mime';
import { domainOf, sameMailbox } from '#core/kernel/schema/email-address.js';
import { bounceKind, enhancedCodeIn } from './classify.js';
import { addressesIn, fieldGroups, type Fields } from './fields.js';
import { plainTextFailures } from './plain-text.js';
import type { Report } from '../tables/report.js';

/*
 * Reports that arrive as mail: delivery status notifications (RFC 3464) and abuse reports (ARF, RFC 5965). Both are a
 * multipart/report (RFC 6522) with a machine-readable part, which a gateway may wrap in another multipart. Without that
 * part, two other kinds are read: plain-text bounces, and the complaints of Microsoft's Junk Mail Reporting Program,
 * which attach the message and name its recipient in a header.
 */

/** A mail that is a report. */
export type MailReport =
  | { readonly kind: 'status'; readonly recipients: readonly Fields[] }
  | {
      readonly kind: 'feedback';
      readonly fields: Fields;
      /** The headers of the message that it is about. */
      readonly original: Fields;
    };

/** The machine-readable parts come first, before the returned message. */
const [mostBytes, mostLines] = [128 * 1024, 4_000];
const lineFeed = 10;

/**
 * The part of a mail that is searched for a report: parsing time grows with the number of lines, and the rest is the
 * returned message.
 */
export function reportBytes(raw: Buffer): Buffer {
  const bytes = raw.subarray(0, mostBytes);
  let end = 0;
  for (let line = 0; line < mostLines; line += 1) {
    const next = bytes.indexOf(lineFeed, end);
    if (next < 0) return bytes;
    end = next + 1;
  }
  return bytes.subarray(0, end);
}

const partOf = ({ attachments }: Email, types: readonly string[]): string | undefined => {
  const content = attachments.find(({ mimeType }) => types.includes(mimeType))?.content;
  if (content === undefined || typeof content === 'string') return content;
  return Buffer.from(content instanceof Uint8Array ? content : new Uint8Array(content)).toString('utf8');
};

/**
 * Reads a mail, which anyone may have sent. Called in a thread, which has a deadline.
 * @param raw the mail, or its `reportBytes`
 * @returns null for a mail that is not a report, or cannot be parsed
 */
export async function parseMailReport(raw: Buffer): Promise<MailReport | null> {
  // Messages inside are not opened: a report in a returned message is about something else.
  const email = await PostalMime.parse(reportBytes(raw), { forceRfc822Attachments: true }).catch(() => null);
  if (!email) return null;
  const status = partOf(email, ['message/delivery-status', 'message/global-delivery-status']);
  // The first group is about the message (RFC 3464 §2.2). Some servers omit it.
  const groups = fieldGroups(status ?? '').filter((group) => group.has('final-recipient'));
  if (groups.length > 0) return { kind: 'status', recipients: groups };
  const feedback = partOf(email, ['message/feedback-report']);
  const original = partOf(email, ['message/rfc822', 'message/rfc822-headers', 'text/rfc822-headers', 'message/global']);
  const none: Fields = new Map();
  const originalFields = fieldGroups(original ?? '')[0] ?? none;
  if (feedback !== undefined)
    return { kind: 'feedback', fields: fieldGroups(feedback)[0] ?? none, original: originalFields };
  const recipient = originalFields.get('x-hmxmroriginalrecipient');
  if (recipient !== undefined)
    return {
      kind: 'feedback',
      fields: new Map([
        ['feedback-type', 'abuse'],
        ['original-rcpt-to', recipient],
      ]),
      original: originalFields,
    };
  const failures = plainTextFailures(email);
  return failures.length > 0 ? { kind: 'status', recipients: failures } : null;
}

/** The return paths that an abuse report names: its senders know the reporter's mailbox, not our addresses. */
export const namedReturnPaths = (report: MailReport): string[] =>
  report.kind === 'status'
    ? []
    : [report.fields.get('original-mail-from'), report.original.get('return-path')].flatMap(addressesIn);

/**
 * The report that a mail contains about a recipient.
 * @param address the recipient that its return path belongs to
 * @returns null if it reports nothing that counts about the address
 */
export const reportFor = (report: MailReport, address: string, at: Date): Report | null =>
  report.kind === 'status' ? bounceFor(report.recipients, address, at) : complaintFor(report.fields, address, at);

/** Delayed is not final yet, and delivered, relayed and expanded are not bounces (RFC 3464 §2.3.3). */
const hasFailed = (group: Fields): boolean => /^failed\b/i.test(group.get('action') ?? '');

/** Characters of a server's answer: it is searched for codes and words. */
const mostDetail = 5_000;

function bounceFor(groups: readonly Fields[], address: string, at: Date): Report | null {
  const own = groups.find((group) =>
    ['original-recipient', 'final-recipient'].some((name) =>
      addressesIn(group.get(name)).some((named) => sameMailbox(named, address)),
    ),
  );
  // Only the recipient of the mail can answer to its return path: another recipient is an address that the mail was
  // forwarded to.
  const fields = own ?? groups.find(hasFailed);
  if (!fields || !hasFailed(fields)) return null;
  const detail = (fields.get('diagnostic-code') ?? '').slice(0, mostDetail).replace(/^[\w.+-]+\s*;\s*/, '');
  const code = enhancedCodeIn(fields.get('status') ?? '') ?? enhancedCodeIn(detail);
  // The address itself accepts mail: its forwarding may change.
  const kind = own ? bounceKind(code, detail) : 'soft';
  return { type: 'bounced', kind, code, detail: detail || 'No reason was given.', at };
}

/**
 * Feedback that is not a complaint: “this is not spam”, and reports of failed authentication (RFC 5965 §7.3, RFC 6591).
 */
const noComplaints = new Set(['not-spam', 'auth-failure', 'dmarc']);

function complaintFor(fields: Fields, address: string, at: Date): Report | null {
  const type = fields.get('feedback-type')?.toLowerCase();
  if (type === undefined || noComplaints.has(type)) return null;
  const named = (fields.get('original-rcpt-to') ?? '').split('\n').flatMap(addressesIn);
  // The part before the @ is often redacted (RFC 6590).
  const isOwn = (each: string): boolean => domainOf(each).toLowerCase() === domainOf(address).toLowerCase();
  if (named.length > 0 && !named.some(isOwn)) return null;
  return { type: 'complained', kind: null, code: null, detail: `Reported as ${type}.`, at };
}
