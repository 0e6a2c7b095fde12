import { sha256 } from '#core/runtime/secrets/digest.js';
import { oauthIdentity, type IdentityFacts } from '../identities/normalize.js';
import { providerOf } from '../providers/providers.js';
import type { Client } from '../providers/provider.js';

/**
 * The identity of an account at a provider. Another issuer under the same provider name has separate accounts: its ids,
 * often small numbers, must not give access to the accounts of users who linked the first one.
 */
export function accountIdentity({ provider: name, issuer }: Client, subject: string): IdentityFacts {
  const identity = oauthIdentity(name, subject);
  const provider = providerOf(name);
  const usual = provider.protocol === 'oidc' ? provider.issuer : null;
  if (issuer === usual) return identity;
  const tag = sha256(issuer ?? '')
    .toString('base64url')
    .slice(0, 8);
  return { ...identity, key: `${name}:${tag}:${subject}` };
}
