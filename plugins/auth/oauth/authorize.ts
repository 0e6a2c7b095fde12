import { buildAuthorizationUrl } from 'openid-client';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { ConfiguredClient } from '../providers/provider.js';

/** The secrets that identify a sign-in at a provider when it returns. */
export interface Secrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The address at the provider that the browser is sent to. */
export function authorizationUrl(
  { provider, client, deviations, configuration }: ConfiguredClient,
  secrets: Secrets,
): string {
  return buildAuthorizationUrl(configuration, {
    ...provider.parameters,
    response_type: 'code',
    redirect_uri: client.callbackUrl,
    scope: client.scopes.join(' '),
    state: secrets.state,
    ...(deviations.noPkce === true ? {} : challengeOf(secrets)),
    ...(provider.protocol === 'oidc' ? { nonce: secrets.nonce } : {}),
  }).href;
}

/** RFC 7636 section 4.2. */
const challengeOf = ({ codeVerifier }: Secrets) => ({
  code_challenge: sha256(codeVerifier).toString('base64url'),
  code_challenge_method: 'S256',
});
