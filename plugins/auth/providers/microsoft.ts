import { isTrue } from './claims.js';
import type { OidcProvider } from './provider.js';

/** The tenant of personal accounts: Microsoft itself verifies their addresses. */
const personalAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad';

/**
 * Accounts of Microsoft Entra ID and personal ones. An administrator of any tenant can give any address to an account,
 * so `email` by itself proves nothing: only `xms_edov` states that the tenant owns the address’s domain.
 */
export const microsoft: OidcProvider = {
  protocol: 'oidc',
  name: 'Microsoft',
  issuer: 'https://login.microsoftonline.com/common/v2.0',
  issuerIsFixed: false,
  scopes: ['openid', 'email', 'profile'],
  needsSecret: true,
  provesAddress: ({ tid, xms_edov: ownsDomain }) =>
    tid === personalAccounts || isTrue(ownsDomain) || ownsDomain === 1 || ownsDomain === '1',
};
