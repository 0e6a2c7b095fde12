import type { WorkerServices } from '#core/kernel/worker-services.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { idBytes } from '#core/runtime/id.js';
import { directory } from '#plugins/account/ports.js';
import { findBillingAccount, lockBillingAccount } from '../../accounts/account.js';
import { deploymentSettings } from '../../settings/deployment-settings.js';
import type { PaymentSetupRow } from '../../tables/payment.js';
import { setupPageUrl } from '../../accounts/links.js';
import { PaymentRefused, type PaymentProvider } from '../../providers/provider.js';

/**
 * Starts a setup at the provider, or finds the one already started: no matter who asks and how often, there is only
 * one.
 * @returns the provider's page
 * @throws PaymentRefused, PaymentUnavailable
 */
export async function startAtProvider(
  services: WorkerServices,
  provider: PaymentProvider,
  setup: PaymentSetupRow,
): Promise<string> {
  const { database, deployment } = services;
  const start = (customerRef: string): Promise<{ providerId: string; url: string }> =>
    provider.startSetup({
      setupId: setup.id,
      customerRef,
      currency: deployment.settingsOf(deploymentSettings).currency,
      expiresAt: setup.expiresAt,
      returnUrl: setupPageUrl(services, setup.id),
    });
  const customerRef = await customerOf(services, provider, setup);
  const { providerId, url } = await start(customerRef).catch(async (error: unknown) => {
    if (!(error instanceof PaymentRefused) || !error.unknownCustomer) throw error;
    // The deployment was previously connected to another account of the provider.
    return start(await replaceCustomer(services, provider, setup, customerRef));
  });
  await database.run('UPDATE billing_payment_setup SET provider_id = ? WHERE id = ?', [
    Buffer.from(providerId),
    idBytes(setup.id),
  ]);
  return url;
}

/** The provider's id of the account; created at the first setup. */
async function customerOf(
  services: WorkerServices,
  provider: PaymentProvider,
  setup: PaymentSetupRow,
): Promise<string> {
  const { database, clock } = services;
  const known = await findBillingAccount(database, setup.accountId);
  if (known?.provider === provider.name && known.customerRef !== null) return known.customerRef;
  const created = await createCustomer(services, provider, setup, 'first');
  return database.transaction(async (db) => {
    const account = await lockBillingAccount(db, setup.accountId, clock.now());
    if (account.provider === provider.name && account.customerRef !== null) return account.customerRef;
    await db.run('UPDATE billing_account SET provider = ?, customer_ref = ? WHERE account_id = ?', [
      Buffer.from(provider.name),
      Buffer.from(created),
      idBytes(setup.accountId),
    ]);
    return created;
  });
}

/** Creates a new customer to replace one that the provider does not know. */
async function replaceCustomer(
  services: WorkerServices,
  provider: PaymentProvider,
  setup: PaymentSetupRow,
  unknown: string,
): Promise<string> {
  const created = await createCustomer(services, provider, setup, 'second');
  await services.database.run(
    `UPDATE billing_account SET customer_ref = ?, payment_method_ref = NULL, payment_method = NULL
     WHERE account_id = ? AND customer_ref = ?`,
    [Buffer.from(created), idBytes(setup.accountId), Buffer.from(unknown)],
  );
  return created;
}

async function createCustomer(
  { database, read }: WorkerServices,
  provider: PaymentProvider,
  { id, accountId, environmentId }: PaymentSetupRow,
  which: 'first' | 'second',
): Promise<string> {
  const environment = await findEnvironment(database, environmentId);
  if (!environment) throw new Error(`The environment ${environmentId} is gone.`);
  const { account, owners } = await read('Payment setup', async ({ use }) => ({
    account: (await use(directory).describe(environment)).account,
    owners: await use(directory).ownerAddresses(accountId),
  }));
  const details = (await findBillingAccount(database, accountId))?.details;
  const email = details?.email ?? owners[0] ?? null;
  // Each setup has its own key: Stripe repeats its answer for a key, including failures, for a day.
  const key = `svc-customer-${id}-${which}`;
  return provider.createCustomer({ key, accountId, name: details?.name ?? account.name, email });
}
