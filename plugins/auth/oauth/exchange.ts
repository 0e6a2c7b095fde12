import {
  authorizationCodeGrant,
  fetchUserInfo,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { Secrets } from './authorize.js';
import { isTrue, standardProfile, subjectOf } from './claims.js';
import { verifySignature } from './id-token.js';
import { problemOf } from './problem.js';
import { ProviderProblem } from './provider-problem.js';
import type { Claims, ConfiguredClient, OidcProvider, Profile } from './provider.js';

/** What came back from the provider through the browser. */
export interface Returned {
  code: string;
  /** The `iss` parameter (RFC 9207). */
  issuer: string | undefined;
  /** What the provider posted beside the code, unsigned. */
  posted: Claims | null;
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/**
 * Trades the code for the person’s profile: with PKCE, and for OpenID Connect with the checks of issuer, audience, nonce, times and signature.
 * @throws ProviderProblem
 */
export async function exchangeCode(client: ConfiguredClient, secrets: Secrets, returned: Returned): Promise<Profile> {
  const { provider, configuration, outbound } = client;
  const { state, nonce, codeVerifier: pkceCodeVerifier } = secrets;
  const url = new URL(client.client.callbackUrl);
  url.searchParams.set('code', returned.code);
  url.searchParams.set('state', state);
  if (returned.issuer !== undefined) url.searchParams.set('iss', returned.issuer);
  try {
    if (provider.protocol === 'oauth') {
      const tokens = await authorizationCodeGrant(configuration, url, { pkceCodeVerifier, expectedState: state });
      return await provider.profile(outbound, client.client.issuer, tokens);
    }
    const checks = { pkceCodeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const tokens = await authorizationCodeGrant(configuration, url, checks);
    await verifySignature(outbound, configuration.serverMetadata().jwks_uri ?? '', tokens.id_token ?? '');
    return profileFrom(provider, await claimsOf(client, tokens), returned.posted);
  } catch (error) {
    throw problemOf(error);
  }
}

/** The ID token’s claims, completed by the userinfo endpoint where they name no address. */
async function claimsOf({ configuration }: ConfiguredClient, tokens: Tokens): Promise<Claims> {
  const claims = tokens.claims();
  if (!claims) throw new ProviderProblem('failed', 'it answered without an ID token');
  if (claims['email'] !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const info = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  // Whether an address is verified is said beside the address.
  return { ...info, ...claims, email_verified: info.email_verified };
}

function profileFrom({ provesAddress, nameOf }: OidcProvider, claims: Claims, posted: Claims | null): Profile {
  const standard = standardProfile(claims);
  return {
    ...standard,
    subject: subjectOf(claims['sub']),
    emailVerified: provesAddress ? provesAddress(claims) : isTrue(claims['email_verified']),
    name: standard.name ?? nameOf?.(claims, posted) ?? null,
  };
}
