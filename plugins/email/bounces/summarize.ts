import type { RecipientRow } from '#core/messaging/tables.js';
import type { MessageRow } from '../tables/message.js';
import type { ReportRow } from '../tables/report.js';

type Summary = Pick<MessageRow, 'status' | 'deliveredAt' | 'bouncedAt' | 'bounceKind' | 'bounceCode' | 'bounceDetail'>;

const byTime = (a: ReportRow, b: ReportRow): number => a.at.getTime() - b.at.getTime() || a.position - b.position;

/**
 * Summarises the reports about a message's recipients. The result depends only on the reports, not on their order of
 * arrival.
 *
 * - `status`: a message that was sent is `bounced` once it has bounced for all recipients that it was sent to.
 * - `bounce` and `bouncedAt`: the first bounce of any recipient.
 * - `deliveredAt`: when the last recipient's delivery was reported, once it was reported for all recipients whose
 *   mail has not bounced.
 */
export function summarize(
  message: Pick<MessageRow, 'status'>,
  recipients: readonly Pick<RecipientRow, 'position' | 'status'>[],
  reports: readonly ReportRow[],
): Summary {
  const [bounce] = reports.filter(({ type }) => type === 'bounced').sort(byTime);
  const delivered = reports.filter(({ type }) => type === 'delivered').sort(byTime);
  const open = recipients.filter(({ status }) => status === 'sent' || status === 'queued');
  const allDelivered = open.every(({ position }) => delivered.some((each) => each.position === position));
  return {
    status: message.status === 'sent' && bounce && open.length === 0 ? 'bounced' : message.status,
    deliveredAt: (allDelivered && delivered.at(-1)?.at) || null,
    bouncedAt: bounce?.at ?? null,
    bounceKind: bounce?.kind ?? null,
    bounceCode: bounce?.code ?? null,
    bounceDetail: bounce?.detail ?? null,
  };
}
