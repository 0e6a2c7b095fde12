import type { OidcProvider, Provider } from './provider.js';
import { apple } from './apple.js';
import { github } from './github.js';
import { microsoft } from './microsoft.js';

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

/** The providers that svc knows by name. */
export const knownProviders: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  ['google', google],
  ['github', github],
  ['microsoft', microsoft],
  ['apple', apple],
  ['gitlab', gitlab],
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
