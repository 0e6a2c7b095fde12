/*
 * A refresh token works once: presenting it a second time ends the session. So only one of an app's tabs or requests
 * refreshes, and the others wait for its tokens.
 */

/** The tokens of a session, as sign-ins and auth.session.refresh return them. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: string;
  readonly refreshToken: string;
  readonly refreshTokenExpiresAt: string;
}

/** The store of the tokens: shared by all tabs in a browser, by all processes on a server. */
export interface TokenStore {
  read(): Promise<SessionTokens | null> | SessionTokens | null;
  write(tokens: SessionTokens | null): Promise<void> | void;
}

/** Runs `work` while no other tab or process runs the same. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

export interface SessionOptions {
  /** Trades a refresh token for new tokens: `(refreshToken) => svc.auth.session.refresh({ refreshToken })`. */
  readonly refresh: (refreshToken: string) => Promise<{ tokens: SessionTokens }>;
  /** Default: the browser's localStorage, under `name`. */
  readonly store?: TokenStore;
  /** Default: the browser's Web Locks, under `name`; without them, only this process. */
  readonly lock?: Lock;
  /** Tells apart the sessions of several environments in one browser. Default: `svc-session`. */
  readonly name?: string;
  /** Refreshes this long before the access token expires. Default: 10 seconds. */
  readonly spareMs?: number;
  /** Replaces Date.now, for tests. */
  readonly now?: () => number;
}

export interface UserSession {
  /** Keeps the tokens of a sign-in. */
  start(tokens: SessionTokens): Promise<void>;
  /**
   * An access token that stays valid for a while, refreshed if necessary.
   * @returns null if nobody is signed in, or the session has ended
   * @throws the errors of `refresh` other than an ended session: the network, an unreachable server
   */
  accessToken(): Promise<string | null>;
  /** Forgets the tokens. Call auth.session.signout with `refreshToken` first, to end the session on the server too. */
  end(): Promise<SessionTokens | null>;
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

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/**
 * Keeps a user's session fresh: `const session = createSession({ refresh: (refreshToken) => svc.auth.session.refresh({
 * refreshToken }) })`.
 */
export function createSession({
  refresh,
  name = 'svc-session',
  store = browserStore(name),
  lock = browserLock(name),
  spareMs = 10_000,
  now = Date.now,
}: SessionOptions): UserSession {
  const isFresh = ({ accessTokenExpiresAt }: SessionTokens): boolean =>
    Date.parse(accessTokenExpiresAt) - spareMs > now();
  let running: Promise<string | null> | undefined;

  const refreshOnce = (): Promise<string | null> =>
    lock(async () => {
      // Another tab may have refreshed while this one waited.
      const tokens = await store.read();
      if (tokens === null || isFresh(tokens)) return tokens?.accessToken ?? null;
      try {
        const renewed = await refresh(tokens.refreshToken);
        await store.write(renewed.tokens);
        return renewed.tokens.accessToken;
      } catch (error) {
        if (!endedCodes.some((code) => code === codeOf(error))) throw error;
        await store.write(null);
        return null;
      }
    });

  return {
    start: async (tokens) => store.write(tokens),
    async accessToken() {
      const tokens = await store.read();
      if (tokens === null || isFresh(tokens)) return tokens?.accessToken ?? null;
      running ??= refreshOnce().finally(() => {
        running = undefined;
      });
      return running;
    },
    async end() {
      const tokens = await store.read();
      await store.write(null);
      return tokens;
    },
  };
}

interface BrowserStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const isStorage = (found: unknown): found is BrowserStorage =>
  typeof found === 'object' && found !== null && 'getItem' in found && 'setItem' in found;

function browserStore(name: string): TokenStore {
  const found: unknown = Reflect.get(globalThis, 'localStorage');
  if (!isStorage(found)) throw new Error('There is no localStorage here: pass a store.');
  return {
    read: () => parseTokens(found.getItem(name)),
    write: (tokens) => (tokens === null ? found.removeItem(name) : found.setItem(name, JSON.stringify(tokens))),
  };
}

function parseTokens(stored: string | null): SessionTokens | null {
  const parsed: unknown = stored === null ? null : JSON.parse(stored);
  if (typeof parsed !== 'object' || parsed === null) return null;
  const text = (field: string): string => String(Reflect.get(parsed, field));
  return {
    accessToken: text('accessToken'),
    accessTokenExpiresAt: text('accessTokenExpiresAt'),
    refreshToken: text('refreshToken'),
    refreshTokenExpiresAt: text('refreshTokenExpiresAt'),
  };
}

interface BrowserLocks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

const hasLocks = (found: unknown): found is { locks: BrowserLocks } =>
  typeof found === 'object' && found !== null && 'locks' in found && typeof found.locks === 'object';

function browserLock(name: string): Lock {
  const navigator: unknown = Reflect.get(globalThis, 'navigator');
  return hasLocks(navigator) ? (work) => navigator.locks.request(name, work) : (work) => work();
}
