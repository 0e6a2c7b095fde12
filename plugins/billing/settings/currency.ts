import { SettingsError } from '#config/read.js';
import type { Context } from '#core/kernel/context.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Session } from '#core/runtime/database/session.js';
import { deploymentSettings } from './deployment-settings.js';

/*
 * Amounts are stored as numbers of micro-units. All amounts of a database are in one currency, which billing_currency
 * names: 50 USD never become 50 JPY because a setting was changed.
 */

/** Places with stored amounts in the currency. Usage and its totals are units. */
const amounts = [
  'SELECT 1 FROM billing_credit',
  'SELECT 1 FROM billing_passthrough',
  'SELECT 1 FROM billing_invoice',
  'SELECT 1 FROM billing_account WHERE cap IS NOT NULL',
];

async function hasAmounts(db: Session): Promise<boolean> {
  for (const sql of amounts) if ((await db.rows<object>(`${sql} LIMIT 1`)).length > 0) return true;
  return false;
}

/**
 * The database's currency, locked; null before the first start. For a database of an earlier version, it is the
 * currency of its last invoice.
 */
async function currencyOf(db: Session): Promise<string | null> {
  const [known] = await db.rows<{ currency: Buffer }>('SELECT currency FROM billing_currency WHERE id = 1 FOR UPDATE');
  if (known) return known.currency.toString();
  const [invoice] = await db.rows<{ currency: Buffer }>(
    'SELECT currency FROM billing_invoice ORDER BY id DESC LIMIT 1',
  );
  return invoice?.currency.toString() ?? null;
}

/**
 * Checks at startup that SVC_CURRENCY is the currency of the stored amounts, and stores it. As long as nothing is
 * stored, it may be changed.
 * @throws SettingsError that states what to do
 */
export async function checkCurrency({ database, deployment }: WorkerServices): Promise<void> {
  const { currency } = deployment.settingsOf(deploymentSettings);
  await database.transaction(async (db) => {
    const stored = await currencyOf(db);
    if (stored !== null && stored !== currency && (await hasAmounts(db)))
      throw new SettingsError([
        `SVC_CURRENCY is ${currency}, but the credits, caps, fees and invoices in this database are in ${stored}. Amounts are not converted.\n` +
          `  Set SVC_CURRENCY=${stored}, with prices in ${stored} in SVC_PRICES_FILE. To charge in ${currency}, start another deployment with its own database.`,
      ]);
    await db.run(
      'INSERT INTO billing_currency (id, currency) VALUES (1, ?) ON DUPLICATE KEY UPDATE currency = VALUES(currency)',
      [Buffer.from(currency)],
    );
  });
}

/**
 * The currency of an amount that is stored now. If nodes were started with different currencies before anything was
 * stored, the last start counts.
 * @throws unavailable on the other nodes, until they are restarted
 */
export async function currencyToStore({
  db,
  deployment,
  fail,
}: Pick<Context, 'db' | 'deployment' | 'fail'>): Promise<string> {
  const { currency } = deployment.settingsOf(deploymentSettings);
  const [stored] = await db.rows<{ currency: Buffer }>(
    'SELECT currency FROM billing_currency WHERE id = 1 LOCK IN SHARE MODE',
  );
  if (stored && stored.currency.toString() !== currency)
    throw fail.unavailable({
      problem: `this node was started with SVC_CURRENCY=${currency}, but the deployment now uses ${stored.currency.toString()}; restart the node`,
    });
  return currency;
}
