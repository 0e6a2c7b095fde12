import { lockOne } from '#core/runtime/database/lock-one.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context, FullContext } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { lockBillingAccount } from '../../accounts/account.js';
import { collectionQueue } from '../../invoices/queues.js';
import { emitUpdated } from '../../standing.js';
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

/**
 * Stores the result of a setup: from then on, invoices are collected with the new method. Unpaid ones are collected
 * immediately.
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
  const reason = state.status === 'failed' ? state.reason.slice(0, 500) : null;
  const failureCode = state.status === 'failed' ? state.code : null;
  const changes = { status: state.status, reason, failureCode, endedAt: now };
  const ended: PaymentSetupRow = { ...row, ...changes };
  await db.run(paymentSetups.updateRow({ id: row.id }, changes));
  if (state.status === 'failed') {
    const data = { reason: reason ?? '', invoice: null };
    for (const environment of environments)
      emit('billing.payment.failed', { subjectId: row.accountId, data }, environment);
    return ended;
  }
  const account = await lockBillingAccount(db, row.accountId, now);
  await db.run(
    `UPDATE billing_account SET provider = ?, customer_ref = ?, payment_method_ref = ?, payment_method = ?, updated_at = ?
     WHERE account_id = ?`,
    [
      Buffer.from(row.provider),
      Buffer.from(state.customerRef),
      Buffer.from(state.methodRef),
      JSON.stringify(state.method),
      now,
      idBytes(row.accountId),
    ],
  );
  await hastenCollections(db, row.accountId, now);
  wake(collectionQueue.name);
  emitUpdated({ emit }, environments, { ...account, paymentMethod: state.method }, null);
  return ended;
}

/** The setup with this id, locked until the transaction ends. */
export const lockSetup = ({ db }: Pick<Context, 'db'>, id: string): Promise<PaymentSetupRow | null> =>
  lockOne(db, paymentSetups, { id });
