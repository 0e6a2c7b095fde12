import { lockOne } from '#core/runtime/database/lock-one.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context, FullContext } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { lockBillingAccount } from '../../accounts/account.js';
import { collectionQueue } from '../../invoices/queues.js';
import { emitUpdated } from '../../standing.js';
import type { BillingAccountRow } from '../../tables/account.js';
import { paymentSetups, type PaymentSetupRow } from '../../tables/payment.js';
import { hastenCollections } from '../collection/lease.js';
import type { PaymentProvider, SetupState } from '../../providers/provider.js';

/**
 * Asks the provider for the result of a setup. Changes nothing.
 * @throws PaymentRefused, PaymentUnavailable
 */
export async function querySetup(
  provider: PaymentProvider | null,
  { status, providerId, expiresAt }: PaymentSetupRow,
  now: Date,
): Promise<SetupState> {
  if (status !== 'pending') return { status: 'pending' };
  if (providerId !== null && provider) return provider.readSetup(providerId);
  return expiresAt <= now
    ? { status: 'failed', reason: 'The page was never opened.', code: 'page_unopened' }
    : { status: 'pending' };
}

type ActiveState = Extract<SetupState, { status: 'active' }>;

/** The result of a setup whose page reports it after the owner has entered another method on another page. */
const superseded = {
  status: 'failed',
  reason: 'A payment method that was entered later is already stored.',
  code: 'method_superseded',
} as const;

/**
 * Stores the result of a setup: from then on, invoices are collected with the new method, unless the account has one
 * that was entered later. Unpaid ones are collected immediately.
 * @param row the setup, locked
 * @returns the setup afterwards
 */
export async function recordSetup(
  context: Pick<FullContext, 'db' | 'clock' | 'emit' | 'wake'>,
  environments: readonly Environment[],
  row: PaymentSetupRow,
  state: SetupState,
): Promise<PaymentSetupRow> {
  if (row.status !== 'pending' || state.status === 'pending') return row;
  const { db, clock, emit, wake } = context;
  const now = clock.now();
  if (state.status === 'failed') {
    const ended = await end(db, row, { ...state, endedAt: now });
    const data = { reason: ended.reason ?? '', invoice: null };
    for (const environment of environments)
      emit('billing.payment.failed', { subjectId: row.accountId, data }, environment);
    return ended;
  }
  const account = await lockBillingAccount(db, row.accountId, now);
  // The account's payment method works, so no event reports a failure.
  if (await isSuperseded(db, account, state)) return end(db, row, { ...superseded, endedAt: now });
  const ended = await end(db, row, { status: 'active', reason: null, code: null, endedAt: now });
  await db.run(
    `UPDATE billing_account SET provider = ?, customer_ref = ?, payment_method_ref = ?, payment_method = ?,
       payment_method_entered_at = ?, updated_at = ? WHERE account_id = ?`,
    [
      Buffer.from(row.provider),
      Buffer.from(state.customerRef),
      Buffer.from(state.methodRef),
      JSON.stringify(state.method),
      state.enteredAt,
      now,
      idBytes(row.accountId),
    ],
  );
  await hastenCollections(db, row.accountId, now);
  wake(collectionQueue.name);
  emitUpdated({ emit }, environments, { ...account, paymentMethod: state.method }, null);
  return ended;
}

/** Ends a setup. @returns the setup afterwards */
async function end(
  db: Session,
  row: PaymentSetupRow,
  {
    status,
    reason,
    code,
    endedAt,
  }: Pick<PaymentSetupRow, 'status' | 'reason'> & {
    readonly code: PaymentSetupRow['failureCode'];
    readonly endedAt: Date;
  },
): Promise<PaymentSetupRow> {
  const changes = { status, reason: reason?.slice(0, 500) ?? null, failureCode: code, endedAt };
  await db.run(paymentSetups.updateRow({ id: row.id }, changes));
  return { ...row, ...changes };
}

/** Whether an account has a payment method that was entered after another one. @param account locked */
async function isSuperseded(db: Session, account: BillingAccountRow, { enteredAt }: ActiveState): Promise<boolean> {
  if (account.paymentMethodRef === null) return false;
  if (account.paymentMethodEnteredAt !== null) return account.paymentMethodEnteredAt > enteredAt;
  // A method that a version before this one stored was entered before its setup ended.
  const [row] = await db.rows<{ at: Date | null }>(
    "SELECT MAX(ended_at) AS at FROM billing_payment_setup WHERE account_id = ? AND status = 'active'",
    [idBytes(account.accountId)],
  );
  return row?.at != null && row.at > enteredAt;
}

/** The setup with this id, locked until the transaction ends. */
export const lockSetup = ({ db }: Pick<Context, 'db'>, id: string): Promise<PaymentSetupRow | null> =>
  lockOne(db, paymentSetups, { id });
