import type { OidcProvider, Provider } from './provider.js';
import { apple } from './apple.js';
import { github } from './github.js';
import { isTrue } from './claims.js';

/** The tenant of personal accounts: Microsoft itself verifies their addresses. */
const personalAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad';

/**
 * Accounts of Microsoft Entra ID and personal ones. An administrator of any tenant can give any address to an account,
 * so `email` by itself proves nothing: only `xms_edov` states that the tenant owns the address’s domain.
 */
const microsoft: OidcProvider = {
  protocol: 'oidc',
  name: 'Microsoft',
  issuer: 'https://login.microsoftonline.com/common/v2.0',
  issuerIsFixed: false,
  scopes: ['openid', 'email', 'profile'],
  needsSecret: true,
  provesAddress: ({ tid, xms_edov: ownsDomain }) =>
    tid === personalAccounts || isTrue(ownsDomain) || ownsDomain === 1 || ownsDomain === '1',
};

const standardScopes = ['openid', 'email', 'profile'];

const google: OidcProvider = {
  protocol: 'oidc',
  name: 'Google',
  issuer: 'https://accounts.google.com',
  issuerIsFixed: true,
  scopes: standardScopes,
  needsSecret: true,
};

const gitlab: OidcProvider = {
  protocol: 'oidc',
  name: 'GitLab',
  issuer: 'https://gitlab.com',
  issuerIsFixed: false,
  scopes: standardScopes,
  needsSecret: false,
};

/**
 * LinkedIn’s discovery document lists neither PKCE nor how clients authenticate. Its token endpoint answers
 * `invalid_client` to a code_verifier and to a secret in the header, and its ID tokens contain no nonce. The state,
 * which works once and only in the browser that started, and the secret protect the sign-in.
 */
const linkedin: OidcProvider = {
  protocol: 'oidc',
  name: 'LinkedIn',
  issuer: 'https://www.linkedin.com/oauth',
  issuerIsFixed: true,
  scopes: standardScopes,
  needsSecret: true,
  deviations: { noPkce: true, nonceMayBeAbsent: true, secretInForm: true },
};

/** The providers that svc knows by name. */
export const knownProviders: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  ['google', google],
  ['github', github],
  ['microsoft', microsoft],
  ['apple', apple],
  ['gitlab', gitlab],
  ['linkedin', linkedin],
]);

/** The provider of that name. Any other name means an OpenID Connect issuer that auth.oauth.app.set provides. */
export const providerOf = (name: string): Provider =>
  knownProviders.get(name) ?? {
    protocol: 'oidc',
    name,
    issuer: null,
    issuerIsFixed: false,
    scopes: standardScopes,
    needsSecret: false,
  };
