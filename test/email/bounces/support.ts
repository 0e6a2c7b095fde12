import { recordBounceReport } from '#plugins/email/inbound/mail-report.js';
import type { ReportOutcome } from '#plugins/email/bounces/report.js';
import type { ReplyOf } from '#test/support/api.js';
import type { TestAccount } from '#test/support/platform.js';
import { send, useMail, type MailTest } from '../support.js';

const lines = (...text: (string | null)[]): Buffer =>
  Buffer.from(text.flatMap((line) => (line === null ? [] : [`${line}\r\n`])).join(''));

export interface NoticeOptions {
  /** The return path, as the To header shows it. */
  to?: string;
  finalRecipient?: string | null;
  originalRecipient?: string | null;
  action?: string | null;
  status?: string | null;
  diagnostic?: string | null;
  /** Further parts, after the status. */
  returned?: string;
}

/** A delivery status notification as Postfix writes it (RFC 3464). */
export const notice = ({
  to = 'bounce@example.com',
  finalRecipient = 'ada@example.com',
  originalRecipient = null,
  action = 'failed',
  status = '5.1.1',
  diagnostic = 'smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown',
  returned = 'From: shop@example.net\r\nSubject: Hello\r\n\r\nHi\r\n',
}: NoticeOptions = {}): Buffer =>
  lines(
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example.com (Mail Delivery System)',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="B1"',
    '',
    '--B1',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    "I'm sorry to have to inform you that your message could not be delivered.",
    '',
    '--B1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    'Arrival-Date: Fri, 20 Nov 2026 09:30:00 +0000 (UTC)',
    '',
    finalRecipient === null ? null : `Final-Recipient: rfc822; ${finalRecipient}`,
    originalRecipient === null ? null : `Original-Recipient: rfc822;${originalRecipient}`,
    action === null ? null : `Action: ${action}`,
    status === null ? null : `Status: ${status}`,
    diagnostic === null ? null : `Diagnostic-Code: ${diagnostic}`,
    '',
    '--B1',
    'Content-Type: message/rfc822',
    '',
    returned,
    '--B1--',
  );

export interface ComplaintOptions {
  type?: string;
  originalRcptTo?: string | null;
  originalMailFrom?: string | null;
  /** The Return-Path of the message that is reported. */
  returnPath?: string | null;
}

/** An abuse report (RFC 5965). */
export const complaint = ({
  type = 'abuse',
  originalRcptTo = null,
  originalMailFrom = null,
  returnPath = null,
}: ComplaintOptions = {}): Buffer =>
  lines(
    'From: <abusedesk@example.com>',
    'To: <abuse@example.net>',
    'Subject: FW: Hello',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part1"',
    '',
    '--part1',
    'Content-Type: text/plain; charset="US-ASCII"',
    '',
    'This is an email abuse report.',
    '--part1',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    originalMailFrom === null ? null : `Original-Mail-From: <${originalMailFrom}>`,
    originalRcptTo === null ? null : `Original-Rcpt-To: <${originalRcptTo}>`,
    '',
    '--part1',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    returnPath === null ? null : `Return-Path: <${returnPath}>`,
    'From: <shop@example.net>',
    'Subject: Hello',
    '',
    'Hi',
    '--part1--',
  );

/** A sent message, with the return paths of its recipients in their order. */
export interface SentMail {
  messageId: string;
  returnPaths: string[];
  shown(): Promise<ReplyOf<'email.message.get'>>;
}

export interface BounceTest extends MailTest {
  /** Sends a message to some recipients and waits until it was taken. */
  sent(account: TestAccount, to?: string | string[], tags?: Record<string, string>): Promise<SentMail>;
  /** Delivers a report to a return path. */
  report(envelopeTo: string, raw: Buffer): Promise<ReportOutcome>;
}

/** A running svc whose mail has return paths. Call it inside `describe`. */
export function useBounces(settings: Record<string, string> = {}): BounceTest {
  const mail = useMail({ settings: { SVC_MAIL_RETURN_HOST: 'returns.example.net', ...settings } });
  const { platform } = mail;
  return Object.assign(mail, {
    async sent({ svc }: TestAccount, to: string | string[] = 'ada@example.com', tags?: Record<string, string>) {
      const { messageId } = await send(svc, { to, ...(tags ? { tags } : {}) });
      await platform.settled();
      const order = [to].flat();
      const returnPaths = mail
        .arrivalsOf(messageId)
        .sort((a, b) => order.indexOf(a.recipients[0] ?? '') - order.indexOf(b.recipients[0] ?? ''))
        .map(({ envelopeFrom }) => envelopeFrom);
      return { messageId, returnPaths, shown: () => svc.call('email.message.get', { messageId }) };
    },
    report: (envelopeTo: string, raw: Buffer) => recordBounceReport(platform.running.services, { envelopeTo, raw }),
  });
}
