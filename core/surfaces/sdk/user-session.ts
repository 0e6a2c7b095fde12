import { newIdempotencyKey } from './idempotency-key.js';

/*
 * A refresh token works once: presenting it a second time ends the session. So only one of an app's tabs or requests
 * refreshes, and the others wait for its tokens. If the reply is lost, the next attempt, also hours later or in another
 * tab, repeats the call with the same Idempotency-Key, which is stored with the tokens.
 */

/** The tokens of a session, as sign-ins and auth.session.refresh return them. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: string;
  readonly refreshToken: string;
  readonly refreshTokenExpiresAt: string;
  /**
   * The Idempotency-Key of the refresh of these tokens, which the session adds. Random, so that nobody who copies only
   * the refresh token can repeat the refresh.
   */
  readonly refreshKey?: string;
}

/**
 * The store of the tokens: shared by all tabs in a browser, by all processes on a server. It returns what was written,
 * with `refreshKey`.
 */
export interface TokenStore<T extends SessionTokens = SessionTokens> {
  read(): Promise<T | null> | T | null;
  write(tokens: T | null): Promise<void> | void;
}

/** Runs `work` while no other tab or process runs the same. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Trades a refresh token for new tokens. The key is the same for every call with the same token, so that a call whose
 * reply was lost can be repeated, also hours later by another tab or process.
 */
export type Refresh<T extends SessionTokens = SessionTokens> = (
  refreshToken: string,
  options: { readonly idempotencyKey: string },
) => Promise<{ readonly tokens: T }>;

export interface SessionOptions {
  /**
   * Trades a refresh token for new tokens:
   * `(refreshToken, options) => svc.auth.session.refresh({ refreshToken }, options)`.
   */
  readonly refresh: Refresh;
  /** Default: the browser's localStorage, under `name`. */
  readonly store?: TokenStore | undefined;
  /** Default: the browser's Web Locks, under `name`; without them, only this process. */
  readonly lock?: Lock | undefined;
  /** Tells apart the sessions of several environments in one browser. Default: `svc-session`. */
  readonly name?: string | undefined;
  /** Refreshes this long before the access token expires. Default: 10 seconds. */
  readonly spareMs?: number | undefined;
  /** Replaces Date.now, for tests. */
  readonly now?: (() => number) | undefined;
}

export interface UserSession<T extends SessionTokens = SessionTokens> {
  /**
   * Keeps the tokens of a sign-in.
   * @param askedAt when they were requested, in milliseconds since 1970 by this machine's clock
   */
  start(tokens: T, askedAt?: number): Promise<void>;
  /**
   * An access token that stays valid for a while, refreshed if necessary.
   * @param options.fresh refreshes it now, for example because the user's role has changed
   * @returns null if nobody is signed in, or the session has ended
   * @throws the errors of `refresh` other than an ended session, if the access token has expired or must be fresh: the
   *   network, an unreachable server
   */
  accessToken(options?: { readonly fresh?: boolean | undefined }): Promise<string | null>;
  /**
   * Replaces the tokens by what `work` makes of them, while nobody refreshes them.
   * @returns the tokens that are kept afterwards; null if nobody is signed in
   */
  replace(work: (tokens: T) => Promise<T>): Promise<T | null>;
  /** Forgets the tokens. Call auth.session.signout with `refreshToken` first, to end the session on the server too. */
  end(): Promise<T | null>;
}

/** Error codes that mean that the session has ended. */
const endedCodes = [
  'refresh_reused',
  'session_expired',
  'session_invalid',
  'session_revoked',
  'session_impersonated',
  'user_banned',
];

/** Whether a failed refresh means that the session has ended. */
export const hasEnded = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && endedCodes.some((code) => code === error.code);

/**
 * Keeps a user's session fresh: `const session = createSession({ refresh: (refreshToken, options) =>
 * svc.auth.session.refresh({ refreshToken }, options) })`.
 */
export const createSession = ({
  name = 'svc-session',
  store = browserStore(name),
  lock = browserLock(name),
  ...options
}: SessionOptions): UserSession => sessionOf({ store, lock, ...options });

/** A session whose tokens are stored together with other data, as `refresh` returns them. */
export function sessionOf<T extends SessionTokens>({
  refresh,
  store,
  lock,
  spareMs = 10_000,
  now = Date.now,
}: {
  readonly refresh: Refresh<T>;
  readonly store: TokenStore<T>;
  readonly lock: Lock;
  readonly spareMs?: number | undefined;
  readonly now?: (() => number) | undefined;
}): UserSession<T> {
  const isValid = ({ accessTokenExpiresAt }: T, spare: number): boolean =>
    Date.parse(accessTokenExpiresAt) - spare > now();
  /** The running refresh of this page, and the one that waits for it. */
  let running: Promise<string | null> | undefined;
  let following: Promise<string | null> | undefined;

  /** To be called within the lock. */
  const replaced = async (tokens: T, work: () => Promise<T | null>): Promise<T | null> => {
    const askedAt = now();
    const made = await work();
    // Somebody may have signed out or in meanwhile: that takes no lock, because it must not wait for the network.
    const current = await store.read();
    if (current?.refreshToken !== tokens.refreshToken) return current;
    // Only a new access token: an old one has no request time that its expiry could be compared with.
    const timed = made && made.accessToken !== tokens.accessToken ? inLocalTime(made, askedAt, now()) : made;
    const kept = timed && withKey(timed, tokens);
    await store.write(kept);
    return kept;
  };

  /** The key of a refresh. It is in the store before the call is sent, so that every later attempt finds it. */
  const storedKey = async (tokens: T): Promise<string> => {
    if (tokens.refreshKey !== undefined) return tokens.refreshKey;
    const refreshKey = newIdempotencyKey();
    await store.write({ ...tokens, refreshKey });
    return refreshKey;
  };

  const refreshOnce = (fresh: boolean): Promise<string | null> =>
    lock(async () => {
      // Another tab may have refreshed while this one waited.
      const tokens = await store.read();
      if (tokens === null || (!fresh && isValid(tokens, spareMs))) return tokens?.accessToken ?? null;
      try {
        const idempotencyKey = await storedKey(tokens);
        const renewed = await replaced(
          tokens,
          async () => (await refresh(tokens.refreshToken, { idempotencyKey })).tokens,
        );
        return renewed?.accessToken ?? null;
      } catch (error) {
        if (hasEnded(error)) return (await replaced(tokens, () => Promise.resolve(null)))?.accessToken ?? null;
        const current = await store.read();
        if (current?.refreshToken !== tokens.refreshToken) return current?.accessToken ?? null;
        if (!fresh && isValid(tokens, 0)) return tokens.accessToken;
        throw error;
      }
    });
  const refreshNow = (fresh: boolean): Promise<string | null> => {
    const mine = refreshOnce(fresh).finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  };
  /** Not the running refresh: it may have been answered before what the caller waits for. */
  const refreshAfresh = (): Promise<string | null> =>
    (following ??= (running ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        following = undefined;
        return refreshNow(true);
      }));

  return {
    start: async (tokens, askedAt) => store.write(withKey(inLocalTime(tokens, askedAt ?? -Infinity, now()), tokens)),
    async accessToken({ fresh = false } = {}) {
      if (fresh) return refreshAfresh();
      const tokens = await store.read();
      if (tokens === null || isValid(tokens, spareMs)) return tokens?.accessToken ?? null;
      // All callers at the same time share one refresh.
      return running ?? refreshNow(false);
    },
    replace: (work) =>
      lock(async () => {
        const tokens = await store.read();
        return tokens && replaced(tokens, () => work(tokens));
      }),
    async end() {
      const tokens = await store.read();
      await store.write(null);
      return tokens;
    },
  };
}

/** The tokens with the key of their refresh: that of the tokens before if the refresh token is still the same. */
const withKey = <T extends SessionTokens>(tokens: T, before: SessionTokens): T => ({
  ...tokens,
  refreshKey: (tokens.refreshToken === before.refreshToken ? before.refreshKey : undefined) ?? newIdempotencyKey(),
});

/** Clocks that differ by less are taken for right. The stored answer of a repeated call is at most 30 seconds old. */
const clockToleranceMs = 60_000;

/**
 * The tokens with their expiry by this machine's clock. By a clock that is ahead, each token would have expired when
 * it arrives, and be refreshed again and again. A right clock shows that the token was issued after it was requested.
 */
function inLocalTime<T extends SessionTokens>(tokens: T, askedAt: number, now: number): T {
  const { iat, exp } = claimsIn(tokens.accessToken);
  if (typeof iat !== 'number' || typeof exp !== 'number') return tokens;
  const issuedAt = iat * 1000;
  if (issuedAt >= askedAt - clockToleranceMs && issuedAt <= now + clockToleranceMs) return tokens;
  const since = Math.max(askedAt, 0) || now;
  return { ...tokens, accessTokenExpiresAt: new Date(since + (exp - iat) * 1000).toISOString() };
}

/** The claims of an access token, without a check of its signature; none if it is not a JWT. */
export function claimsIn(accessToken: string): Readonly<Record<string, unknown>> {
  try {
    const [, body = ''] = accessToken.split('.');
    const bytes = Uint8Array.from(atob(body.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/** The part of localStorage that sessions need. */
export interface BrowserStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const isStorage = (found: unknown): found is BrowserStorage =>
  typeof found === 'object' && found !== null && 'getItem' in found && 'setItem' in found;

/** @returns null if there is none, or the browser denies it to the page */
export function browserStorage(): BrowserStorage | null {
  try {
    const found: unknown = Reflect.get(globalThis, 'localStorage');
    return isStorage(found) ? found : null;
  } catch {
    return null;
  }
}

function browserStore(name: string): TokenStore {
  const found = browserStorage();
  if (!found) throw new Error('localStorage is missing here: pass a store.');
  return {
    read: () => tokensIn(found.getItem(name)),
    write: (tokens) => (tokens === null ? found.removeItem(name) : found.setItem(name, JSON.stringify(tokens))),
  };
}

/** The tokens of a stored text; null if it has none. */
export function tokensIn(stored: string | null): SessionTokens | null {
  const parsed = stored === null ? null : parsedJson(stored);
  if (typeof parsed !== 'object' || parsed === null) return null;
  const text = (field: string): string => String(Reflect.get(parsed, field));
  const refreshKey: unknown = Reflect.get(parsed, 'refreshKey');
  return {
    accessToken: text('accessToken'),
    accessTokenExpiresAt: text('accessTokenExpiresAt'),
    refreshToken: text('refreshToken'),
    refreshTokenExpiresAt: text('refreshTokenExpiresAt'),
    ...(typeof refreshKey === 'string' ? { refreshKey } : {}),
  };
}

/** @returns undefined if it is not JSON */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface BrowserLocks {
  request<T>(name: string, options: { signal: AbortSignal }, work: () => Promise<T>): Promise<T>;
}

const hasLocks = (found: unknown): found is { locks: BrowserLocks } =>
  typeof found === 'object' && found !== null && 'locks' in found && typeof found.locks === 'object';

/** A tab that holds the lock may be frozen. Refreshes of tabs at the same time have the same Idempotency-Key. */
const lockMs = 10_000;

/** The browser's Web Lock of a name; without Web Locks, nothing is excluded. */
export function browserLock(name: string): Lock {
  const navigator: unknown = Reflect.get(globalThis, 'navigator');
  if (!hasLocks(navigator)) return (work) => work();
  return async (work) => {
    const held = { started: false };
    try {
      return await navigator.locks.request(name, { signal: AbortSignal.timeout(lockMs) }, () => {
        held.started = true;
        return work();
      });
    } catch (error) {
      if (held.started) throw error;
      return work();
    }
  };
}
