import {
  authorizationCodeGrant,
  fetchUserInfo,
  genericGrantRequest,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { Secrets } from './authorize.js';
import { isTrue, standardProfile, subjectOf } from '../providers/claims.js';
import { verifySignature } from './id-token.js';
import { problemOf } from './problem.js';
import { ProviderProblem } from '../providers/provider-problem.js';
import type { Claims, ConfiguredClient, OidcProvider, Profile } from '../providers/provider.js';

/** The provider's answer, returned through the browser. */
export interface Returned {
  code: string;
  /** The `iss` parameter (RFC 9207). */
  issuer: string | undefined;
  /** What the provider posted with the code, unsigned. */
  posted: Claims | null;
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/**
 * Exchanges the code for the person’s profile: with PKCE, and for OpenID Connect with the checks of issuer, audience,
 * nonce, times and signature.
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
    const { noPkce, nonceMayBeAbsent } = client.deviations;
    const checks = {
      ...(noPkce === true ? {} : { pkceCodeVerifier }),
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    };
    const tokens =
      nonceMayBeAbsent === true
        ? await grantWithoutNonce(client, secrets, returned)
        : await authorizationCodeGrant(configuration, url, checks);
    await verifySignature(outbound, configuration.serverMetadata().jwks_uri ?? '', tokens.id_token ?? '');
    return profileFrom(provider, await claimsOf(provider, client, tokens), returned.posted);
  } catch (error) {
    throw problemOf(error);
  }
}

/**
 * The exchange with a provider whose ID tokens may lack the nonce: the same request and checks, except that an absent
 * or empty nonce is accepted. openid-client can only require a nonce or its absence.
 */
async function grantWithoutNonce(
  { client, configuration, deviations }: ConfiguredClient,
  { nonce, codeVerifier }: Secrets,
  { code, issuer }: Returned,
): Promise<Tokens> {
  // RFC 9207 section 2.4.
  if (issuer !== undefined && issuer !== configuration.serverMetadata().issuer)
    throw new ProviderProblem('failed', 'its answer names another issuer (iss)');
  const tokens = await genericGrantRequest(configuration, 'authorization_code', {
    code,
    redirect_uri: client.callbackUrl,
    ...(deviations.noPkce === true ? {} : { code_verifier: codeVerifier }),
  });
  const said = tokens.claims()?.nonce ?? '';
  if (said !== '' && said !== nonce) throw new ProviderProblem('failed', 'its ID token has an unexpected nonce');
  return tokens;
}

/**
 * The ID token’s claims. If the token lacks a claim that a user is created from, the userinfo endpoint completes them
 * (OpenID Connect Core, section 5.4).
 * @throws ProviderProblem, or an error of openid-client; a missing name by itself causes neither
 */
async function claimsOf(provider: OidcProvider, { configuration }: ConfiguredClient, tokens: Tokens): Promise<Claims> {
  const idToken = tokens.claims();
  if (!idToken) throw new ProviderProblem('failed', 'it answered without an ID token');
  const claims = saidIn(idToken);
  const lacks = (...names: string[]): boolean => names.some((name) => claims[name] === undefined);
  const isAddressKnown = !lacks('email') && (provider.provesAddress !== undefined || !lacks('email_verified'));
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  if (isAddressKnown && !lacks('name', 'picture')) return claims;
  try {
    const info = saidIn(await fetchUserInfo(configuration, tokens.access_token, idToken.sub));
    return { ...info, ...claims, email_verified: verifiedIn(claims, info) };
  } catch (error) {
    const problem = problemOf(error);
    if (!isAddressKnown || problem.kind === 'another_account') throw problem;
    return claims;
  }
}

/** Claims that have a value: providers send null or an empty text for unknown values. */
const saidIn = (claims: object): Claims =>
  Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== null && !(typeof value === 'string' && value.trim() === '')),
  );

/**
 * Whether the address is verified, according to the source of the address. The other source also counts if it does not
 * contain a different address.
 */
function verifiedIn(claims: Claims, info: Claims): unknown {
  const [source, other] = claims['email'] === undefined ? [info, claims] : [claims, info];
  const isSame = other['email'] === undefined || other['email'] === source['email'];
  return source['email_verified'] ?? (isSame ? other['email_verified'] : undefined);
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
