import type { Deployment } from '#core/kernel/deployment.js';
import { isId } from '#core/runtime/id-form.js';
import { equalBytes } from '#core/runtime/secrets/digest.js';
import type { Vault } from '#core/runtime/secrets/vault.js';

/*
 * The pages of invoices and of payment methods that are being added are opened by whoever has their link: it carries the id with a MAC under
 * a key of the deployment, so that nothing has to be stored for it.
 */

interface Linking {
  readonly vault: Vault;
  readonly deployment: Pick<Deployment, 'baseUrl'>;
}

type Kind = 'invoice' | 'payment-method';

const mac = (vault: Vault, kind: Kind, id: string): Buffer => vault.digest(id, { table: 'billing', column: kind });

const tokenOf = (vault: Vault, kind: Kind, id: string): string => `${id}.${mac(vault, kind, id).toString('base64url')}`;

const urlOf = ({ vault, deployment }: Linking, kind: Kind, id: string): string =>
  `${deployment.baseUrl}/billing/${kind}?${new URLSearchParams({ token: tokenOf(vault, kind, id) }).toString()}`;

/** The page on which an invoice is shown and paid. */
export const invoicePageUrl = (linking: Linking, invoiceId: string): string => urlOf(linking, 'invoice', invoiceId);

/** The page that leads to the provider, where a payment method is added, and that stores it afterwards. */
export const setupPageUrl = (linking: Linking, setupId: string): string => urlOf(linking, 'payment-method', setupId);

/** The id in a link's token; null for a token that no link of this deployment carries. */
export function idOfToken(vault: Vault, kind: Kind, token: string): string | null {
  const [id = '', digest = ''] = token.split('.');
  if (!isId(id)) return null;
  return equalBytes(Buffer.from(digest, 'base64url'), mac(vault, kind, id)) ? id : null;
}
