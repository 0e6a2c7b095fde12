import { randomBytes } from 'node:crypto';
import { at, isRecord, parseJson } from '#core/runtime/json.js';

/** Tokens of a session, as the profile keeps them. */
export interface StoredTokens {
  readonly accessToken: string;
  /**
   * When the access token expires, by this machine's clock (milliseconds since 1970); absent if the expiry is not
   * known.
   */
  readonly expiresAt?: number;
  readonly refreshToken?: string;
  /**
   * The Idempotency-Key of the refresh: if its reply is lost, the next command repeats the call. Random, so that nobody
   * who copies only the refresh token can repeat it.
   */
  readonly refreshKey?: string;
}

/** A key for the next refresh. */
export const newRefreshKey = (): string => randomBytes(24).toString('base64url');

/** Tokens in a profile; undefined if there are none. */
export function tokensIn(value: unknown): StoredTokens | undefined {
  if (!isRecord(value) || typeof value['accessToken'] !== 'string') return undefined;
  const { accessToken, expiresAt, refreshToken, refreshKey } = value;
  return {
    accessToken,
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    ...(typeof refreshToken === 'string' ? { refreshToken } : {}),
    ...(typeof refreshKey === 'string' ? { refreshKey } : {}),
  };
}

/**
 * How long the token is valid, in milliseconds, from its own claims (RFC 7519 §4.1): the clocks of server and machine
 * may differ.
 */
function lifetimeOf(accessToken: string): number | undefined {
  const claims = parseJson(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const [from, until] = [at(claims, 'iat'), at(claims, 'exp')];
  return typeof from === 'number' && typeof until === 'number' ? (until - from) * 1000 : undefined;
}

/** The tokens of a reply to store; undefined if the reply has none. */
export function receivedTokens(value: unknown): StoredTokens | undefined {
  const accessToken = at(value, 'accessToken');
  if (typeof accessToken !== 'string') return undefined;
  const refreshToken = at(value, 'refreshToken');
  return {
    ...withExpiry(accessToken),
    ...(typeof refreshToken === 'string' ? { refreshToken, refreshKey: newRefreshKey() } : {}),
  };
}

/** An access token that was just issued. */
export function withExpiry(accessToken: string): StoredTokens {
  const lifetime = lifetimeOf(accessToken);
  return { accessToken, ...(lifetime === undefined ? {} : { expiresAt: Date.now() + lifetime }) };
}

/** A token is refreshed this long before it expires, so that it is valid when the call arrives. */
const earlyMs = 30_000;

export const needsRefresh = ({ expiresAt }: StoredTokens): boolean =>
  expiresAt !== undefined && Date.now() > expiresAt - earlyMs;

/** A user in a reply, for people: their address, number or name. */
export function userName(user: unknown): string {
  const texts = ['email', 'phone', 'name', 'id'].map((field) => at(user, field));
  return texts.find((each) => typeof each === 'string') ?? 'the user';
}
