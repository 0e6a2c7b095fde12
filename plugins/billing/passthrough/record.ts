import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { fillText } from '#core/surfaces/pages/texts.js';
import { lockBillingAccount } from '../accounts/account.js';
import { isUnmetered } from '../cap/metering-port.js';
import { en } from '../invoices/pdf/en.js';
import { lockMonth } from '../periods/lock-month.js';
import { chargedPeriod, lastClosedPeriod } from '../periods/open-period.js';
import { periodOf, previousPeriod } from '../periods/months.js';
import { currencyToStore } from '../settings/currency.js';
import { parseAmount, moneyOf } from '../money/micros.js';
import type { PassThroughFees } from '../ports.js';
import { passthroughs, type Fee, type PassthroughRow } from '../tables/passthrough.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { PassthroughLine } from '../resources.js';

interface NewFee {
  readonly accountId: string;
  readonly projectId: string | null;
  readonly description: string;
  readonly fee: Fee | null;
  /** Micro-units. */
  readonly amount: bigint;
  readonly incurredAt: Date;
  /** The same fee is recorded once. */
  readonly reference: string | null;
}

/** The line that the account already has for a reference. */
const lineOfReference = async (
  db: Session,
  accountId: string,
  reference: string | null,
): Promise<PassthroughRow | null> => (reference === null ? null : db.findOne(passthroughs, { accountId, reference }));

/**
 * Adds a fee to an account's month, once per reference, and emits billing.passthrough.recorded for a new one.
 * @param period the month; `open` for the present one, or the first open one if that is already closed
 * @param environments where the event is written
 * @returns the line, and whether it is new; `closed` if the month is closed, with the month that `open` means
 */
export async function addFee(
  context: Context<'billing.passthrough.recorded'>,
  wanted: string,
  fee: NewFee,
  environments: readonly Environment[],
): Promise<{ line: PassthroughRow; isNew: boolean } | { closed: string; open: string }> {
  const { db, clock, emit } = context;
  const { accountId, reference } = fee;
  const currency = await currencyToStore(context);
  const now = clock.now();
  // Calls with the same reference run one after the other: they all lock the account’s row.
  await lockBillingAccount(db, accountId, now);
  const known = await lineOfReference(db, accountId, reference);
  if (known) return { line: known, isNew: false };
  // A close locks the account's row too, so no month is closed until this transaction ends.
  const open = chargedPeriod(await lastClosedPeriod(db, accountId), periodOf(now));
  const period = wanted === 'open' ? open : wanted;
  const month = await lockMonth(db, accountId, period);
  // Months before the last one are closed, even if they had no invoice.
  if (month.closedAt !== null || period < previousPeriod(periodOf(now))) return { closed: period, open };
  const line = { id: newId(), ...fee, period, invoiceId: null, createdAt: now };
  await db.run(passthroughs.insertRows([line]));
  await db.run('UPDATE billing_month SET fees = fees + ? WHERE account_id = ? AND period = ?', [
    fee.amount,
    idBytes(accountId),
    Buffer.from(period),
  ]);
  const data = { line: presentPassthrough(line, currency), period };
  for (const environment of environments)
    emit('billing.passthrough.recorded', { subjectId: line.id, data }, environment);
  return { line, isNew: true };
}

/**
 * Fees that other products pass on, such as those of carriers for a registration. Calls write the event in their
 * environment, workers in the live environment of each project.
 */
export function makePassThroughFees(context: Context<'billing.passthrough.recorded'>): PassThroughFees {
  return {
    async record(environment, { kind, name, amount, reference }) {
      if (environment.kind === 'test' || (await isUnmetered(context, environment))) return;
      const description = fillText(en.fees[kind], { name }).slice(0, 200);
      const micros = parseAmount(amount);
      if (micros === undefined || micros <= 0n)
        throw new Error(`The amount of the fee “${description}” is not above 0: ${amount}.`);
      const { accountId, projectId } = environment;
      const incurredAt = context.clock.now();
      const fee = { accountId, projectId, description, fee: { kind, name }, amount: micros, incurredAt, reference };
      const isWork = context.caller.kind === 'system';
      const environments = isWork ? await liveEnvironments(context.db, accountId) : [environment];
      await addFee(context, 'open', fee, environments);
    },
  };
}

/** A pass-through line as replies and events carry it. @param currency ISO 4217 */
export const presentPassthrough = (row: PassthroughRow, currency: string): ValueOf<typeof PassthroughLine> => ({
  id: row.id,
  description: row.description,
  projectId: row.projectId,
  amount: moneyOf(row.amount, currency),
  incurredAt: row.incurredAt.toISOString(),
  reference: row.reference,
});
