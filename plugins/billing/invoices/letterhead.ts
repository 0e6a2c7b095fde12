import type { ReadContext } from '#core/kernel/context.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idText } from '#core/runtime/id.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import { directory } from '#plugins/account/ports.js';
import { findBillingAccount, noDetails, presentDetails } from '../accounts/account.js';
import type { BillingDetails } from '../tables/account.js';
import type { Letterhead } from '../tables/invoice.js';
import { invoiceTexts } from './pdf/translations.js';

type LetterheadContext = Pick<ReadContext, 'db' | 'use'>;

/** The recipient of an invoice. */
interface Buyer {
  readonly accountName: string;
  readonly details: BillingDetails;
}

/** The account's name and billing details, as they are now. */
export async function buyerOf({ db, use }: LetterheadContext, accountId: string): Promise<Buyer> {
  const [environment] = await liveEnvironments(db, accountId);
  if (!environment) throw new Error(`The account ${accountId} has no live environment.`);
  const { account } = await use(directory).describe(environment);
  const billing = await findBillingAccount(db, accountId);
  return { accountName: account.name, details: presentDetails(billing?.details ?? noDetails) };
}

/**
 * The issuer of the deployment's invoices, as it is now: the billing details of the operator's account, the published
 * theme of its first project, and the language of the buyer's first project.
 */
export async function letterheadFor(context: LetterheadContext, accountId: string): Promise<Letterhead> {
  const { db, use } = context;
  const operatorId = await operatorAccount(db);
  const [own] = await liveEnvironments(db, operatorId);
  const [buyers] = await liveEnvironments(db, accountId);
  if (!own || !buyers) throw new Error(`The account ${accountId} or the operator’s has no live environment.`);
  const { accountName, details } = await buyerOf(context, operatorId);
  const name = details.name ?? accountName;
  const theme = await use(directory).theme(own);
  const { primary, onPrimary } = theme.colors;
  const reader = textsFor(invoiceTexts, [await use(directory).locale(buyers.projectId)]);
  return {
    seller: { ...details, name },
    // The default theme has the project’s name, which is not a company name.
    brand: { name: theme.version === 0 ? name : theme.brandName, primary, onPrimary },
    language: reader.lang,
    formatTag: reader.formatTag,
  };
}

async function operatorAccount(db: ReadSession): Promise<string> {
  const [row] = await db.rows<{ account_id: Buffer }>(
    'SELECT account_id FROM svc_environment WHERE operator = 1 ORDER BY id LIMIT 1',
  );
  if (!row) throw new Error('The deployment does not have an account.');
  return idText(row.account_id);
}
