import { baseUrlOf } from './base-url.js';
import { numberOption } from './number-option.js';

/* Checks access tokens offline (RFC 7519) with the environment's published keys (RFC 7517). */

/** The claims of an access token; `claims` of the environment's settings add more. */
export interface AccessTokenClaims {
  readonly iss: string;
  /** The user's id. */
  readonly sub: string;
  /** The environment's id. */
  readonly aud: string;
  /** The session's id. */
  readonly sid: string;
  readonly iat: number;
  readonly exp: number;
  /** When the person signed in, in seconds since 1970. */
  readonly auth_time: number;
  readonly amr: readonly string[];
  readonly mfa: boolean;
  readonly org_id?: string;
  readonly org_role?: string;
  /** The person who impersonates the user. */
  readonly act?: { readonly sub: string };
  readonly [claim: string]: unknown;
}

/** The access token is not valid: `reason` states why. */
export class TokenRejected extends Error {
  override name = 'TokenRejected';
  constructor(
    readonly reason: 'malformed' | 'unknown_key' | 'wrong_signature' | 'wrong_issuer' | 'wrong_audience' | 'expired',
  ) {
    super(`The access token is not valid: ${reason}.`);
  }
}

export interface VerifierOptions {
  /** The server's address, which is the tokens' issuer: `https://svc.example.com`. Default: see SvcOptions. */
  readonly baseUrl?: string | undefined;
  readonly environmentId: string;
  /** Replaces the global `fetch`. */
  readonly fetch?:
    ((url: string) => Promise<{ readonly ok: boolean; readonly status: number; json(): Promise<unknown> }>) | undefined;
  /** How long fetched keys are used before they are fetched again, in the background. Default: 5 minutes. */
  readonly cacheMs?: number | undefined;
  /** How far clocks may differ. Default: 5 seconds. */
  readonly toleranceMs?: number | undefined;
  /** Replaces Date.now, for tests. */
  readonly now?: (() => number) | undefined;
}

/**
 * Checks an access token. It requests keys from the server at most every few minutes. An ended session stays valid
 * until its access token expires (auth.session.verify checks with the server).
 * @throws TokenRejected; an Error if the keys cannot be fetched
 */
export type TokenVerifier = (accessToken: string) => Promise<AccessTokenClaims>;

interface KnownKey {
  readonly algorithm: SigningAlgorithm;
  readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
}
type SigningAlgorithm = 'ES256' | 'RS256' | 'EdDSA';

/** How WebCrypto imports and uses the keys of each algorithm (RFC 7518 section 3.1, RFC 8037). */
const parameters = {
  ES256: { import: { name: 'ECDSA', namedCurve: 'P-256' }, verify: { name: 'ECDSA', hash: 'SHA-256' } },
  RS256: { import: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, verify: { name: 'RSASSA-PKCS1-v1_5' } },
  EdDSA: { import: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
} as const;

const isAlgorithm = (name: unknown): name is SigningAlgorithm =>
  typeof name === 'string' && Object.hasOwn(parameters, name);

/** An unknown key is requested at most once in this time, because anyone can send a token with a made-up key. */
const unknownKeyMs = 30_000;
/** Keys are used this long if the server does not answer. */
const keptMs = 3_600_000;
const fetchTimeoutMs = 5_000;

/**
 * `const verify = createTokenVerifier({ baseUrl, environmentId }); const { sub } = await verify(accessToken)`
 * @throws TypeError for an option that is not a number
 */
export function createTokenVerifier(options: VerifierOptions): TokenVerifier {
  const {
    environmentId,
    fetch: get = (url) => globalThis.fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) }),
    cacheMs = 300_000,
    toleranceMs = 5_000,
    now = Date.now,
  } = options;
  numberOption('cacheMs', cacheMs);
  numberOption('toleranceMs', toleranceMs);
  const issuer = baseUrlOf(options, 'createTokenVerifier()');
  let keys: { at: number; byId: ReadonlyMap<string, KnownKey> } | undefined;
  let fetching: Promise<ReadonlyMap<string, KnownKey>> | undefined;
  let failedAt = -Infinity;

  const fetched = async (): Promise<ReadonlyMap<string, KnownKey>> => {
    const at = now();
    try {
      const byId = await fetchKeys(`${issuer}/auth/jwks/${environmentId}`, get);
      keys = { at, byId };
      return byId;
    } catch (error) {
      failedAt = at;
      throw error;
    } finally {
      fetching = undefined;
    }
  };
  /** Requests the keys; all callers at the same time share one request. */
  const fetchOnce = (): Promise<ReadonlyMap<string, KnownKey>> => (fetching ??= fetched());

  const keyOf = async (id: string): Promise<KnownKey> => {
    const known = keys && now() - keys.at < keptMs ? keys : undefined;
    const age = known ? now() - known.at : Infinity;
    const hasJustFailed = now() - failedAt < unknownKeyMs;
    const key = known?.byId.get(id);
    if (key) {
      // In the background: a server that hangs must not delay tokens whose key is known.
      if (age >= cacheMs && !hasJustFailed) void fetchOnce().catch(() => undefined);
      return key;
    }
    if (known && (age < unknownKeyMs || hasJustFailed)) throw new TokenRejected('unknown_key');
    const found = (await fetchOnce()).get(id);
    if (!found) throw new TokenRejected('unknown_key');
    return found;
  };

  return async (accessToken) => {
    // `atob` ignores white space, such as a final line break (RFC 7515 section 7.1).
    if (/\s/.test(accessToken)) throw new TokenRejected('malformed');
    const [head = '', body = '', signature = '', ...rest] = accessToken.split('.');
    const { kid, alg, typ } = parsePart(head);
    if (rest.length > 0 || typeof kid !== 'string' || typ !== 'JWT') throw new TokenRejected('malformed');
    const { algorithm, key } = await keyOf(kid);
    if (alg !== algorithm) throw new TokenRejected('wrong_signature');
    const signed = new TextEncoder().encode(`${head}.${body}`);
    const valid = await crypto.subtle.verify(parameters[algorithm].verify, key, signatureIn(signature), signed);
    if (!valid) throw new TokenRejected('wrong_signature');
    const claims = parsePart(body);
    if (claims['iss'] !== issuer) throw new TokenRejected('wrong_issuer');
    if (claims['aud'] !== environmentId) throw new TokenRejected('wrong_audience');
    // Written so that NaN, such as from a clock that fails, rejects the token.
    if (typeof claims['exp'] !== 'number' || !(claims['exp'] * 1000 + toleranceMs > now()))
      throw new TokenRejected('expired');
    return asClaims(claims);
  };
}

/** The server signs no other form. */
function asClaims(claims: object): AccessTokenClaims;
function asClaims(claims: object): unknown {
  return claims;
}

async function fetchKeys(
  url: string,
  get: NonNullable<VerifierOptions['fetch']>,
): Promise<ReadonlyMap<string, KnownKey>> {
  const answer = await get(url);
  if (answer.status === 404)
    throw new Error(`${url} answered 404: environmentId must be the id of an environment of this server.`);
  if (!answer.ok) throw new Error(`The signing keys at ${url} answered ${answer.status}.`);
  const set: unknown = await answer.json();
  const found: unknown = typeof set === 'object' && set !== null ? Reflect.get(set, 'keys') : undefined;
  if (!Array.isArray(found)) throw new Error(`${url} holds no keys.`);
  const entries = await Promise.all(found.map(importKey));
  return new Map(entries.filter((entry) => entry !== null));
}

async function importKey(jwk: unknown): Promise<readonly [string, KnownKey] | null> {
  if (typeof jwk !== 'object' || jwk === null) return null;
  const { kid, alg, ...rest }: Record<string, unknown> = Object.fromEntries(Object.entries(jwk));
  if (typeof kid !== 'string' || !isAlgorithm(alg)) return null;
  try {
    const key = await crypto.subtle.importKey('jwk', rest, parameters[alg].import, false, ['verify']);
    return [kid, { algorithm: alg, key }];
  } catch {
    // This runtime does not know the algorithm, or the key is broken. Tokens with the other keys are valid.
    return null;
  }
}

function parsePart(part: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytesOf(part)));
    if (typeof parsed === 'object' && parsed !== null) return Object.fromEntries(Object.entries(parsed));
  } catch {
    // Neither base64url nor JSON: malformed.
  }
  throw new TokenRejected('malformed');
}

function signatureIn(part: string): Uint8Array<ArrayBuffer> {
  try {
    return bytesOf(part);
  } catch {
    throw new TokenRejected('malformed');
  }
}

/** base64url (RFC 4648 section 5). @throws an error if it is not */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const decoded = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}
