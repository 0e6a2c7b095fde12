import type { WorkerServices } from '#core/kernel/worker-services.js';
import { shift, hourMs } from '#core/runtime/clock.js';
import { newId } from '#core/runtime/id.js';
import { actInAccount } from '../../accounts/account.js';
import { paymentSetups, type PaymentSetupRow } from '../../tables/payment.js';
import { findProvider } from '../../providers/find-provider.js';
import type { SetupState } from '../../providers/provider.js';
import { isProviderProblem } from '../refusals.js';
import { querySetup, lockSetup, recordSetup } from './result.js';
import { startAtProvider } from './start.js';

/** The provider's pages expire after 24 hours at most. */
export const setupMs = 23 * hourMs;

/**
 * Starts adding a payment method from the page of an invoice.
 * @param returnUrl where the owner is sent afterwards
 * @returns the provider's page; null if it did not answer
 */
export async function setupFromPage(
  services: WorkerServices,
  accountId: string,
  returnUrl: string,
): Promise<string | null> {
  const provider = findProvider(services.deployment);
  if (!provider) return null;
  const setup = await services.transaction('Invoice page', async (context) => {
    const { db, clock, emit, audit } = context;
    const [environment, ...others] = await actInAccount(context, accountId);
    const row: PaymentSetupRow = {
      id: newId(),
      accountId,
      environmentId: environment.id,
      provider: provider.name,
      providerId: null,
      returnUrl,
      status: 'pending',
      reason: null,
      failureCode: null,
      activityId: context.activityId,
      createdAt: clock.now(),
      expiresAt: shift(clock.now(), setupMs),
      endedAt: null,
    };
    await db.insert(paymentSetups, row);
    audit({
      operation: 'billing.payment.setup',
      subject: { type: 'payment_setup', id: row.id },
      summary: 'Started adding a payment method.',
      changes: [{ field: 'setupId', from: null, to: row.id }],
    });
    const data = { setupId: row.id, expiresAt: row.expiresAt.toISOString() };
    for (const each of [environment, ...others])
      emit('billing.payment.setup_started', { subjectId: row.id, data }, each);
    return row;
  });
  return openSetup(services, setup);
}

/** The provider's page of a setup; null if it did not answer. */
export async function openSetup(services: WorkerServices, setup: PaymentSetupRow): Promise<string | null> {
  const provider = findProvider(services.deployment);
  if (!provider) return null;
  try {
    return await startAtProvider(services, provider, setup);
  } catch (error) {
    if (!isProviderProblem(error)) throw error;
    services.log.warn({ err: error, setupId: setup.id }, 'the payment provider did not start a setup');
    return null;
  }
}

/**
 * Stores the result of a setup without a call, unless it has one.
 * @param actor whom the audit record names
 * @returns the setup afterwards
 */
export const storeResult = (
  services: Pick<WorkerServices, 'transaction'>,
  setup: PaymentSetupRow,
  state: SetupState,
  actor: string,
): Promise<PaymentSetupRow> =>
  services.transaction(actor, async (context) => {
    const row = await lockSetup(context, setup.id);
    if (row?.status !== 'pending') return row ?? setup;
    const environments = await actInAccount(context, setup.accountId);
    const ended = await recordSetup(context, environments, row, state);
    context.audit({
      operation: 'billing.payment.confirm',
      subject: { type: 'payment_setup', id: row.id },
      summary: ended.status === 'active' ? 'Stored a payment method.' : 'A payment method could not be added.',
      changes: [{ field: 'status', from: row.status, to: ended.status }],
    });
    return ended;
  });

/**
 * Asks for the result of a setup and stores the method, as billing.payment.confirm does. @returns the setup afterwards
 */
export async function settleSetup(services: WorkerServices, setup: PaymentSetupRow): Promise<PaymentSetupRow> {
  try {
    const state = await querySetup(findProvider(services.deployment), setup, services.clock.now());
    return state.status === 'pending' ? setup : await storeResult(services, setup, state, 'Payment method page');
  } catch (error) {
    if (!isProviderProblem(error)) throw error;
    services.log.warn({ err: error, setupId: setup.id }, 'the payment provider did not respond');
    return setup;
  }
}
