import type { Deployment } from '#core/kernel/deployment.js';
import { isId } from '#core/runtime/id-form.js';
import { equalBytes } from '#core/runtime/secrets/digest.js';
import type { Vault } from '#core/runtime/secrets/vault.js';

/*
 * Anyone who has the link to an invoice's page, or to the page of a payment method that is being added, can open it.
 * The link contains the id and a MAC under a key of the deployment, so nothing has to be stored for it.
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

/**
 * The page that leads to the provider, where the owner adds a payment method, and that stores the method afterwards.
 */
export const setupPageUrl = (linking: Linking, setupId: string): string => urlOf(linking, 'payment-method', setupId);

/** The id in a link's token; null if no link of this deployment has that token. */
export function idOfToken(vault: Vault, kind: Kind, token: string): string | null {
  const [id = '', digest = ''] = token.split('.');
  if (!isId(id)) return null;
  return equalBytes(Buffer.from(digest, 'base64url'), mac(vault, kind, id)) ? id : null;
}
