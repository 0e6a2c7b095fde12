import { hourMs, dayMs } from '#core/runtime/clock.js';
import type { InvoiceRow } from '../../tables/invoice.js';
import type { PaymentAttemptRow } from '../../tables/payment.js';

/*
 * What happens to an unpaid invoice, and when (docs/billing.md, What happens to an invoice):
 * - issued: it is collected. Without a payment method, owners get a mail (billing.invoice).
 * - a collection fails: billing.payment.failed, a mail. Repeated 1, 3 and 5 days after the first failure.
 * - the bank requires confirmation: billing.payment.failed, a mail with a link. It counts as a failure.
 * - the bank takes days: svc asks every few hours. The invoice does not become past due in the meantime.
 * - a payment method is added: the invoice is collected from it at once.
 * - 7 days after it was due: the invoice and the account are past due. billing.payment.updated, a mail
 *   (billing.past_due); in live environments, broadcasts are held. Single messages, automations and sign-in continue.
 * - paid: billing.payment.updated, a receipt. Once no invoice of the account is past due, its broadcasts continue.
 */

/** A failed collection is repeated this number of days after the first failure. */
const retryDays = [1, 3, 5] as const;
/** An invoice that is unpaid this long after it was due makes its account past due. */
export const pastDueDays = 7;
/** A payment that nobody confirmed is given up after this. */
export const confirmDays = 30;

/** The data that collection decides by. Times of attempts that the provider has not decided are null. */
export interface Situation {
  readonly invoice: Pick<InvoiceRow, 'status' | 'issuedAt' | 'dueAt' | 'takenBackAt'>;
  /** All attempts of the invoice, oldest first. */
  readonly attempts: readonly Pick<PaymentAttemptRow, 'status' | 'createdAt' | 'endedAt'>[];
  /** When the payment method was added; null if there is none. */
  readonly methodAddedAt: Date | null;
}

/** The undecided attempt, if any: there is at most one. */
export const openAttempt = <A extends Pick<PaymentAttemptRow, 'endedAt'>>(attempts: readonly A[]): A | undefined =>
  attempts.find(({ endedAt }) => endedAt === null);

/**
 * When to collect next: at the issue, 1, 3 and 5 days after the first failure, and as soon as another payment method is
 * added.
 * @returns null if there is nothing left to try, the bank has not decided about the last attempt, or there is no
 * payment method
 */
export function nextCollection({ invoice, attempts, methodAddedAt }: Situation): Date | null {
  if (methodAddedAt === null) return null;
  const last = attempts.at(-1);
  if (last === undefined) return invoice.issuedAt;
  // Until the bank has decided, there is nothing to collect from another method.
  if (last.endedAt === null && last.status !== 'requires_action') return null;
  // A payment that the bank took back is not repeated automatically, except with a method that was added afterwards.
  if (methodAddedAt > ((last.status === 'taken_back' && last.endedAt) || last.createdAt)) return methodAddedAt;
  const first = attempts.map(failedAt).find((at) => at !== null);
  const latest = failedAt(last);
  if (!first || !latest) return null;
  // A manual collection shortly before does not count as one of them.
  const times = retryDays.map((days) => first.getTime() + days * dayMs);
  const next = times.find((time) => time - latest.getTime() > 12 * hourMs);
  return next === undefined ? null : new Date(next);
}

/** Whether a collection is due: it begins as soon as a worker is free, for example after a payment method was added. */
export function isCollectionDue(situation: Situation, now: Date): boolean {
  const due = nextCollection(situation);
  return due !== null && due <= now;
}

/**
 * An attempt that the owner must confirm, or never confirmed, has collected nothing: it counts as failed from its
 * beginning.
 */
const failedAt = ({ status, createdAt, endedAt }: Situation['attempts'][number]): Date | null =>
  status === 'failed' ? endedAt : status === 'requires_action' || status === 'given_up' ? createdAt : null;

/** When an unpaid invoice makes its account past due: not while a bank is deciding about a payment of it. */
export function pastDueAt({ invoice, attempts }: Situation): Date | null {
  if (invoice.status !== 'open' || invoice.dueAt === null) return null;
  if (attempts.some(({ status, endedAt }) => status === 'processing' && endedAt === null)) return null;
  const due = Math.max(invoice.dueAt.getTime(), invoice.takenBackAt?.getTime() ?? 0);
  return new Date(due + pastDueDays * dayMs);
}

/** When to ask the provider again about an attempt: after minutes at first, then every few hours. */
function nextPoll({ createdAt }: Pick<PaymentAttemptRow, 'createdAt'>, now: Date): Date {
  const age = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(6 * hourMs, Math.max(hourMs / 12, age / 4)));
}

/** When an unpaid invoice needs attention next; null if nothing more happens until somebody pays. */
export function nextStep(situation: Situation, now: Date): Date | null {
  const open = openAttempt(situation.attempts);
  const times = [open ? nextPoll(open, now) : null, nextCollection(situation), pastDueAt(situation)].filter(
    (time) => time !== null,
  );
  return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
}
