import { bindSignIn, returnedCode, SignInNotStartedHere, type NewSignInBinding } from '../sign-in.js';
import { browserStorage, parsedJson } from '../user-session.js';
import { pageStorage } from './store.js';
import { ownPath, type BrowserWindow } from './window.js';

/*
 * Sign-ins that this browser has started and not completed, by their state: several tabs may sign in at the same time,
 * and a link in a mail opens a new tab.
 */

interface KeptSignIn {
  readonly state: string;
  readonly codeVerifier: string;
  /** A complete address of the app's origin. */
  readonly returnTo: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** As long as the hosted pages keep a sign-in. */
const keptMs = 30 * 60_000;
const maxKept = 10;

const itemOf = (name: string): string => `${name}.sign-ins`;

const isKept = (found: unknown): found is KeptSignIn =>
  typeof found === 'object' &&
  found !== null &&
  'state' in found &&
  typeof found.state === 'string' &&
  'codeVerifier' in found &&
  typeof found.codeVerifier === 'string' &&
  'returnTo' in found &&
  typeof found.returnTo === 'string' &&
  'startedAt' in found &&
  typeof found.startedAt === 'number';

function keptSignIns(name: string): KeptSignIn[] {
  const stored = parsedJson(pageStorage().getItem(itemOf(name)) ?? '[]');
  const found: unknown[] = Array.isArray(stored) ? stored : [];
  return found.filter(isKept).filter(({ startedAt }) => Date.now() - startedAt < keptMs);
}

function keep(name: string, signIns: readonly KeptSignIn[]): void {
  if (signIns.length === 0) pageStorage().removeItem(itemOf(name));
  else pageStorage().setItem(itemOf(name), JSON.stringify(signIns));
}

/**
 * Starts a sign-in in this browser.
 * @param returnTo where the app continues; addresses of other origins are replaced by the app's start page
 * @throws Error if the browser denies storage to the page
 */
export async function keepSignIn(
  { location }: Pick<BrowserWindow, 'location'>,
  name: string,
  returnTo = ownPath(location),
): Promise<Pick<NewSignInBinding, 'state' | 'codeChallenge'>> {
  if (!browserStorage()) throw new Error('This browser denies storage to the page, so that nobody can sign in.');
  const { state, codeVerifier, codeChallenge } = await bindSignIn();
  const target = new URL(returnTo, location.href);
  const signIn = {
    state,
    codeVerifier,
    returnTo: target.origin === location.origin ? target.href : `${location.origin}/`,
    startedAt: Date.now(),
  };
  keep(name, [...keptSignIns(name), signIn].slice(-maxKept));
  return { state, codeChallenge };
}

/** A sign-in that came back to this page. */
export type Returned =
  | {
      readonly exchange: { readonly code: string; readonly codeVerifier: string };
      readonly returnTo: string;
    }
  | { readonly problem: SignInNotStartedHere };

/**
 * Takes the code of a completed sign-in out of the page's address, so that it is neither visible nor in the history.
 * @returns null if the address has none
 */
export function takeReturn({ location, history }: BrowserWindow, name: string): Returned | null {
  const address = new URL(location.href);
  if (!address.searchParams.has('svc_code')) return null;
  const rest = new URL(address);
  rest.searchParams.delete('svc_code');
  rest.searchParams.delete('state');
  // Not its path: `//example.com` would be another origin.
  history.replaceState(history.state, '', rest.href);
  const signIns = keptSignIns(name);
  const signIn = signIns.find(({ state }) => state === address.searchParams.get('state'));
  keep(
    name,
    signIns.filter((each) => each !== signIn),
  );
  if (!signIn) return { problem: new SignInNotStartedHere(signIns.length === 0 ? 'nothing_kept' : 'other_state') };
  return { exchange: returnedCode(address, signIn), returnTo: signIn.returnTo };
}
