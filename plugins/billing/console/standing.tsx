import { addressOf, Notice, useRead } from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A month, such as “November 2026”. @param period YYYY-MM */
export function monthName(period: string): string {
  const date = new Date(`${period}-01T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? period : month.format(date);
}

/** What it means that the account is past due, and the way out; nothing while it is not. */
export function PastDue() {
  const { data } = useRead('billing.get', {});
  const isPastDue = data?.standing === 'past_due';
  const overdue = useRead('billing.invoice.list', { status: 'past_due', limit: 24 }, { enabled: isPastDue });
  if (!isPastDue) return null;
  // The oldest one is paid first.
  const invoice = overdue.data?.invoices.at(-1);
  return (
    <Notice
      tone="bad"
      action={
        invoice === undefined ? undefined : (
          <a class="b main" href={addressOf(['billing', 'invoice', invoice.period])}>
            Pay the invoice of {monthName(invoice.period)}
          </a>
        )
      }
    >
      <p>
        <b>{texts.pastDue}</b>
      </p>
      <p>
        {texts.pastDueMeans}
        {invoice?.lastFailure === null || invoice === undefined ? null : ` Last attempt: ${invoice.lastFailure.reason}`}
      </p>
    </Notice>
  );
}
