import { refusalOf } from '#core/kernel/errors/common.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import {
  boolean,
  filledText,
  ifUnchangedSince,
  list,
  optional,
  text,
  url,
  withDefault,
  type ValueOf,
  object,
} from '#core/kernel/schema/schema.js';
import type { HttpClient } from '#core/runtime/http-client/client.js';
import { builtInMethods } from '../settings/resources.js';
import type { OAuthAppRow } from '../tables/oauth-app.js';
import { providerOf } from '../providers/providers.js';

const providerName = text(
  'google, github, microsoft, apple, gitlab, linkedin, or your name for another OpenID Connect issuer: lowercase letters, digits, - and _.',
  { minLength: 1, maxLength: 64, pattern: '^[a-z0-9][a-z0-9_-]*$' },
);

export const appInput = object({
  provider: providerName,
  clientId: text('The client id that the provider issued to you.', { minLength: 1, maxLength: 500, pattern: '^\\S+$' }),
  clientSecret: optional(
    text(
      'The client secret that the provider issued to you. For apple: the JSON {"teamId", "keyId", "p8"}. Omit it to keep the stored secret.',
      { minLength: 1, maxLength: 1_900 },
    ),
  ),
  issuer: optional(
    url(
      'The issuer URL, without /.well-known/openid-configuration. Required for a provider that svc does not know by name, for a self-hosted GitLab or GitHub server, and for a single Microsoft tenant.',
    ),
  ),
  // RFC 6749 section 3.3.
  scopes: optional(
    list(
      text(undefined, { minLength: 1, maxLength: 200, pattern: '^[!#-\\[\\]-~]+$' }),
      'The scopes to request. Default: the provider’s usual scopes.',
      {
        maxItems: 50,
        uniqueItems: true,
      },
    ),
  ),
  ifUnchangedSince,
  name: optional(filledText('The name on sign-in buttons. Default: the provider’s own name.', 120)),
  enabled: withDefault(boolean('Whether users can sign in with it.'), true),
});

type AppInput = ValueOf<typeof appInput>;

/** The data of an application before it is stored. */
interface AppFacts {
  name: string;
  clientId: string;
  issuer: string | null;
  scopes: string[];
  enabled: boolean;
  /** Undefined keeps the stored secret. */
  clientSecret: string | null | undefined;
}

interface Rules {
  http: HttpClient;
  /** The environment is a test environment: plain http is allowed, and so are stand-ins for every provider. */
  isTest: boolean;
}

/**
 * The application that a call of auth.oauth.app.set requests, with the provider’s defaults.
 * @param stored the application's current state; null if there is none
 * @throws invalid_input, url_not_allowed
 */
export function appFacts(input: AppInput, stored: OAuthAppRow | null, rules: Rules): AppFacts {
  if (builtInMethods.some((method) => method === input.provider))
    throw invalidField('provider', 'must not be the name of another sign-in method');
  const provider = providerOf(input.provider);
  const issuer = issuerFrom(input, rules);
  const isSameClient = stored?.clientId === input.clientId && stored.issuer === issuer && stored.removedAt === null;
  // A stored secret belongs to its client: it is never presented to another issuer.
  const clientSecret = input.clientSecret ?? (isSameClient ? undefined : null);
  const hasSecret = clientSecret === undefined ? stored?.clientSecret !== null : clientSecret !== null;
  // A disabled application may have no secret: the provider issues it only after callbackUrl of the reply is registered
  // there.
  if (input.enabled && !hasSecret && provider.needsSecret)
    throw invalidField('clientSecret', `is required: ${provider.name} does not accept a client without its secret`);
  const problem = clientSecret ? provider.secretProblem?.(clientSecret) : undefined;
  if (problem !== undefined) throw invalidField('clientSecret', problem);
  const scopes = input.scopes ?? [...provider.scopes];
  return {
    name: input.name ?? provider.name,
    clientId: input.clientId,
    issuer,
    // OpenID Connect Core section 3.1.2.1: without it, no ID token is issued.
    scopes: provider.protocol === 'oidc' && !scopes.includes('openid') ? ['openid', ...scopes] : scopes,
    enabled: input.enabled,
    clientSecret,
  };
}

function issuerFrom({ provider: name, issuer }: AppInput, { http, isTest }: Rules): string | null {
  const provider = providerOf(name);
  if (issuer === undefined) {
    if (provider.protocol === 'oauth') return null;
    if (provider.issuer === null)
      throw invalidField(
        'issuer',
        `is required: svc does not know a provider called ${name}, so pass the URL of its OpenID Connect issuer`,
      );
    return provider.issuer;
  }
  const check = http.checkUrl(issuer, { http: isTest });
  if (!check.ok) throw refusalOf.url_not_allowed({ problem: check.problem.replace(/\.$/, '') });
  const { url: address } = check;
  if (address.search !== '' || issuer.includes('#'))
    throw invalidField('issuer', 'must not contain a query or fragment');
  if (address.pathname.includes('/.well-known/'))
    throw invalidField('issuer', 'must be the issuer itself, without /.well-known/…');
  const normal = address.pathname === '/' ? address.origin : address.href;
  if (provider.protocol === 'oidc' && provider.issuerIsFixed && !isTest && normal !== provider.issuer)
    throw invalidField(
      'issuer',
      `must be omitted: ${provider.name} has only one issuer (test environments may override it with a stand-in)`,
    );
  return normal;
}
