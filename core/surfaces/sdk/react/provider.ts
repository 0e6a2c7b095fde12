'use client';
import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import type { OrganizationMembership } from '../operations.gen.js';
import {
  createBrowserSession,
  initialState,
  type ActiveOrganization,
  type BrowserSession,
  type BrowserSessionOptions,
  type SessionState,
  type SignInOptions,
  type TokenOptions,
} from './browser-session.js';

interface SvcContextValue {
  readonly session: BrowserSession;
  readonly state: SessionState;
}

const SvcContext = createContext<SvcContextValue | null>(null);

export interface SvcProviderProps extends BrowserSessionOptions {
  /**
   * Goes to a path of the app after a sign-in, for example with the app's router. Default: the browser loads the page.
   */
  readonly navigate?: ((path: string) => void) | undefined;
  readonly children?: ReactNode | undefined;
}

/**
 * Provides the session to the components below it. Server rendering and the first render in a browser are `loading`.
 * Other options than `navigate` and `children` are read once.
 * @throws TypeError without baseUrl, if the package did not come from a server
 */
export function SvcProvider({ children, navigate, ...options }: SvcProviderProps): ReactNode {
  const [session] = useState(() => createBrowserSession(options));
  const latest = useRef(navigate);
  useEffect(() => {
    latest.current = navigate;
  });
  useEffect(() => session.start(() => latest.current), [session]);
  const state = useSyncExternalStore(session.subscribe, session.state, initialState);
  const value = useMemo(() => ({ session, state }), [session, state]);
  return createElement(SvcContext.Provider, { value }, children);
}

/** @throws Error outside of an SvcProvider */
export function useSvc(): SvcContextValue {
  const value = useContext(SvcContext);
  if (!value) throw new Error('Render this component inside <SvcProvider>.');
  return value;
}

/** What differs by `status`, and what can be done. */
export type SessionHook = Pick<SessionState, 'status' | 'sessionId' | 'error'> & {
  /**
   * An access token for the app's server, refreshed if necessary; null if nobody is signed in. `{ fresh: true }`
   * refreshes it now: it states the user's present role, and so does the page.
   * @throws SvcError if it has expired or must be fresh, and the server cannot be reached
   */
  readonly getToken: (options?: TokenOptions) => Promise<string | null>;
  /** Leads to the hosted sign-in page. */
  readonly signIn: (options?: SignInOptions) => Promise<void>;
  /** Signs out in all tabs. @throws SvcError if the server was not reached; the browser is signed out even so */
  readonly signOut: () => Promise<void>;
};

/** The session: whether somebody is signed in, tokens, signing in and out. */
export function useSession(): SessionHook {
  const { session, state } = useSvc();
  const { status, sessionId, error } = state;
  const { getToken, signIn, signOut } = session;
  return useMemo(
    () => ({ status, sessionId, error, getToken, signIn, signOut }),
    [status, sessionId, error, getToken, signIn, signOut],
  );
}

/** The user by status: `if (status !== 'signed-in') return null` narrows `user`. */
export type UserHook = UserByStatus<SessionState> & {
  /** Reads the user again, after a change. */
  readonly reload: () => Promise<void>;
};
type UserByStatus<S> = S extends SessionState ? Pick<S, 'status' | 'user'> : never;

/** The signed-in user. */
export function useUser(): UserHook {
  const { session, state } = useSvc();
  const reload = session.reloadUser;
  return useMemo(
    () =>
      state.status === 'signed-in'
        ? { status: state.status, user: state.user, reload }
        : { status: state.status, user: null, reload },
    [state, reload],
  );
}

export interface OrganizationHook {
  /** The active organization of the session, in all tabs; null for none. */
  readonly active: ActiveOrganization | null;
  /** The user's organizations and roles, at most the 100 newest; null while they are loaded. */
  readonly organizations: readonly OrganizationMembership[] | null;
  /** Why they could not be loaded; null if they were. */
  readonly error: unknown;
  /** Makes another organization active; null for none. @throws SvcError, such as `mfa_required` */
  readonly switchTo: (organizationId: string | null) => Promise<void>;
  /** Loads the organizations again. */
  readonly reload: () => void;
}

interface Loaded {
  readonly sessionId: string | null;
  readonly organizations: readonly OrganizationMembership[] | null;
  readonly error: unknown;
}

/** The organizations of the signed-in user, and which of them is active. */
export function useOrganization(): OrganizationHook {
  const { session, state } = useSvc();
  const { sessionId, organization: active } = state;
  const [loaded, setLoaded] = useState<Loaded>({ sessionId: null, organizations: null, error: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const show = (organizations: readonly OrganizationMembership[] | null, error: unknown): void => {
      if (isCurrent) setLoaded({ sessionId, organizations, error });
    };
    if (sessionId !== null)
      session.organizations().then(
        (found) => show(found, null),
        (error: unknown) => show(null, error),
      );
    return () => {
      isCurrent = false;
    };
  }, [session, sessionId, round]);
  return useMemo(() => {
    // Those of an earlier session are not shown.
    const { organizations, error } =
      sessionId !== null && loaded.sessionId === sessionId ? loaded : { organizations: null, error: null };
    const reload = (): void => setRound((count) => count + 1);
    return { active, organizations, error, switchTo: session.switchOrganization, reload };
  }, [session, sessionId, active, loaded]);
}
