import { baseUrlOf } from '../base-url.js';
import { Svc } from '../client.js';
import type { OrganizationMembership, User } from '../operations.gen.js';
import { sleepFor } from '../retry.js';
import { signInUrl } from '../sign-in.js';
import type { Fetch } from '../types.js';
import { browserLock, claimsIn, sessionOf } from '../user-session.js';
import { keepSignIn, takeReturn, type Returned } from './return.js';
import { recordStore, type SessionRecord } from './store.js';
import { browserWindow, listen, ownPath } from './window.js';

/* The session of a user in a browser: signing in on the hosted pages, keeping tokens fresh in all tabs, signing out. */

export interface BrowserSessionOptions {
  /** The server's address: `https://svc.example.com`. Default: see SvcOptions. */
  readonly baseUrl?: string | undefined;
  /** The environment that users sign in to. */
  readonly environmentId: string;
  /** A publishable key of the environment. */
  readonly publishableKey: string;
  /**
   * The address of the app that the hosted pages return to: one of the environment's redirectUrls. Default: the start
   * page of the app's origin.
   */
  readonly redirectTo?: string | undefined;
}

/** Which organization is active in a session, and the user's role in it. */
export interface ActiveOrganization {
  readonly id: string;
  readonly role: string;
}

export type SessionState =
  | {
      readonly status: 'loading';
      readonly user: null;
      readonly sessionId: null;
      readonly organization: null;
      readonly error: null;
    }
  | {
      readonly status: 'signed-out';
      readonly user: null;
      readonly sessionId: null;
      readonly organization: null;
      /** Why the last sign-in failed; null if none did. */
      readonly error: unknown;
    }
  | {
      readonly status: 'signed-in';
      readonly user: User;
      readonly sessionId: string;
      readonly organization: ActiveOrganization | null;
      readonly error: null;
    };

export interface SignInOptions {
  /** Where the app continues: an address of its own origin. Default: the page that the user is on. */
  readonly returnTo?: string | undefined;
  /** Fills in the address. */
  readonly email?: string | undefined;
}

export interface TokenOptions {
  /** Refreshes now, for example because the user's role has changed. Default: only a token that is about to expire. */
  readonly fresh?: boolean | undefined;
}

export interface BrowserSession {
  readonly state: () => SessionState;
  /** @returns a function that ends the subscription */
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Completes a sign-in that returned to this page, follows the other tabs, and keeps the access token fresh.
   * @param navigate returns what goes to a path of the app after a sign-in; if it returns nothing, the page is loaded
   * @returns a function that ends this
   */
  readonly start: (navigate: () => ((path: string) => void) | undefined) => () => void;
  /** As accessToken of createSession. */
  readonly getToken: (options?: TokenOptions) => Promise<string | null>;
  /** Leads to the hosted sign-in page, where new people sign up too. */
  readonly signIn: (options?: SignInOptions) => Promise<void>;
  /**
   * Signs out in all tabs, and ends the session on the server.
   * @throws SvcError if the server could not be reached: the browser has forgotten the session, the server has not
   */
  readonly signOut: () => Promise<void>;
  /** Makes an organization active, in all tabs; null for none. @throws SvcError: `mfa_required`, `not_found` … */
  readonly switchOrganization: (organizationId: string | null) => Promise<void>;
  /** The user's organizations, at most the 100 newest. */
  readonly organizations: () => Promise<OrganizationMembership[]>;
  /** Reads the user again, after a change. */
  readonly reloadUser: () => Promise<void>;
  /** The address of the hosted account page. */
  readonly accountUrl: string;
}

const loading: SessionState = { status: 'loading', user: null, sessionId: null, organization: null, error: null };

/** What a page shows on a server and until it has started in a browser. */
export const initialState = (): SessionState => loading;

/** Refreshes the access token this long before it expires, while the page is visible. */
const spareMs = 60_000;
/** Wait before another attempt, if the server was not reached. */
const retryMs = 5_000;
/** Limit of one attempt. Another one repeats the same call, so that it can be short. */
const refreshTimeoutMs = 8_000;

/** Calls finish even if the page is left meanwhile, so that a sign-out reaches the server. */
const lastingFetch: Fetch = (url, init) => fetch(url, { ...init, keepalive: true });

/** A missing variable would lead to a page that does not exist, and a secret key would be public. */
function requireUsable({ environmentId, publishableKey }: BrowserSessionOptions): void {
  if (!environmentId)
    throw new TypeError('<SvcProvider> needs environmentId, the id of the environment of your users.');
  if (!/^svc_(live|test)_pk/.test(publishableKey))
    throw new TypeError(
      '<SvcProvider> needs a publishable key, which begins with svc_live_pk or svc_test_pk. Everybody can read the key of a page: if it was a secret key, revoke it with developers.key.revoke.',
    );
}

/**
 * Touches nothing of the browser until `start` or another method is called, so that servers can render with it.
 * @throws TypeError without an environment or a publishable key
 */
export function createBrowserSession(options: BrowserSessionOptions): BrowserSession {
  requireUsable(options);
  const { environmentId, publishableKey } = options;
  const baseUrl = baseUrlOf(options, '<SvcProvider>');
  const svc = new Svc({ baseUrl, apiKey: publishableKey, fetch: lastingFetch });
  const name = `svc-session.${environmentId}`;
  const listeners = new Set<() => void>();
  const store = recordStore(name);

  let state = loading;
  let started = 0;
  /** The sign-in that returned to this page, or the first refresh. The state is loading until then. */
  let opening: Promise<void> | undefined;
  let problem: unknown = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Resolved by the first start: calls that need a token wait for a sign-in that is in the address. */
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));

  let presented = '';
  /** Refreshes. Before it repeats a call, it checks that no other tab has used the next token meanwhile. */
  const refresher = new Svc({
    baseUrl,
    apiKey: publishableKey,
    fetch: lastingFetch,
    sleep: async (milliseconds, signal) => {
      await sleepFor(milliseconds, signal);
      // A tab may be frozen for hours here. The token would then count as copied, and the session would end.
      if (store.read()?.refreshToken !== presented) throw new Error('Another tab has refreshed the session.');
    },
  });
  const session = sessionOf<SessionRecord>({
    store,
    lock: (work) => browserLock(name)(work),
    spareMs,
    refresh: async (refreshToken, call) => {
      presented = refreshToken;
      const { tokens, user } = await refresher.auth.session.refresh(
        { refreshToken },
        { ...call, timeoutMs: refreshTimeoutMs },
      );
      return { tokens: { ...tokens, user } };
    },
  });

  /** Takes over what is stored, which another tab may have changed. */
  function update(): void {
    if (opening !== undefined) return;
    const record = store.read();
    if (record) problem = null;
    const next = stateOf(record, problem);
    if (JSON.stringify(next) !== JSON.stringify(state) || next.error !== state.error) {
      state = next;
      for (const listener of listeners) listener();
    }
    schedule();
  }

  /** Refreshes before the access token expires. Hidden pages refresh when they are needed again. */
  function schedule(wait?: number): void {
    clearTimeout(timer);
    const record = started > 0 ? store.read() : null;
    if (!record || browserWindow().document.visibilityState === 'hidden') return;
    const due = Date.parse(record.accessTokenExpiresAt) - spareMs - Date.now();
    timer = setTimeout(refreshNow, Math.max(wait ?? due, 0));
  }
  const refreshNow = (): void => {
    void session.accessToken().then(
      () => schedule(isDue(store.read()) ? retryMs : undefined),
      () => schedule(retryMs),
    );
  };

  const open = async (returned: Returned | null, navigate: (address: string) => void): Promise<void> => {
    try {
      if (returned) {
        if ('problem' in returned) throw returned.problem;
        const askedAt = Date.now();
        const { tokens, user } = await svc.auth.session.exchange(returned.exchange);
        await session.start({ ...tokens, user }, askedAt);
        navigate(returned.returnTo);
      } else await session.accessToken();
    } catch (error) {
      // Without a connection, the person stays signed in.
      if (returned) problem = error;
    }
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(navigateWith) {
      const window = browserWindow();
      started += 1;
      // React's StrictMode starts twice: the code is taken from the address once.
      const returned = takeReturn(window, name);
      if (opening === undefined && (returned || isDue(store.read()))) {
        const navigate = (address: string): void => {
          if (address === window.location.href) return;
          const given = navigateWith();
          // Routers read a path that begins with two slashes as another host.
          if (given) given(ownPath(new URL(address)).replace(/^\/+/, '/'));
          else window.location.replace(address);
        };
        opening = open(returned, navigate).finally(() => {
          opening = undefined;
          update();
        });
      }
      begin();
      const ends = [
        listen(window, 'storage', ({ key }) => {
          if (key === name || key === null) update();
        }),
        // A page from the back-forward cache has missed events.
        listen(window, 'pageshow', update),
        listen(window, 'online', update),
        listen(window.document, 'visibilitychange', update),
        store.follow(update),
      ];
      update();
      return () => {
        started -= 1;
        if (started === 0) clearTimeout(timer);
        for (const end of ends) end();
      };
    },
    async getToken(wanted) {
      await begun;
      await opening;
      return session.accessToken(wanted);
    },
    async signIn({ returnTo, email } = {}) {
      const window = browserWindow();
      const binding = await keepSignIn(window, name, returnTo);
      const redirectTo = options.redirectTo ?? `${window.location.origin}/`;
      window.location.assign(signInUrl({ baseUrl, environmentId, redirectTo, binding, email }));
    },
    async signOut() {
      problem = null;
      const record = await session.end();
      if (record) await svc.auth.session.signout({ refreshToken: record.refreshToken });
    },
    async switchOrganization(organizationId) {
      await session.accessToken();
      await session.replace(async (record) => {
        const { accessToken, expiresAt } = await svc.auth.org.switch({
          accessToken: record.accessToken,
          organizationId,
        });
        return { ...record, accessToken, accessTokenExpiresAt: expiresAt };
      });
    },
    async organizations() {
      const accessToken = await session.accessToken();
      return accessToken === null ? [] : (await svc.auth.org.mine({ accessToken, limit: 100 })).organizations;
    },
    async reloadUser() {
      const accessToken = await session.accessToken();
      if (accessToken === null) return;
      const { user } = await svc.auth.me.get({ accessToken });
      await session.replace((record) => Promise.resolve({ ...record, user }));
    },
    accountUrl: `${baseUrl}/auth/${environmentId}/account`,
  };
}

/** Whether the access token is about to expire. */
const isDue = (record: SessionRecord | null): boolean =>
  record !== null && Date.parse(record.accessTokenExpiresAt) - spareMs <= Date.now();

function stateOf(record: SessionRecord | null, error: unknown): SessionState {
  if (!record) return { status: 'signed-out', user: null, sessionId: null, organization: null, error };
  const { sid, org_id, org_role } = claimsIn(record.accessToken);
  const organization =
    typeof org_id === 'string' && typeof org_role === 'string' ? { id: org_id, role: org_role } : null;
  return { status: 'signed-in', user: record.user, sessionId: String(sid), organization, error: null };
}
