import { baseUrlOf } from './base-url.js';

/*
 * An attacker can send people a link to an app with the attacker's code, which would sign them in as somebody else. So
 * the app keeps two random values in the browser that starts a sign-in, and accepts the returned code only in that
 * browser.
 */

/** The data that an app keeps in the browser during a sign-in, for example in a cookie that is HttpOnly. */
export interface SignInBinding {
  /** Returned together with svc_code. */
  readonly state: string;
  /** Exchanging the code needs it. */
  readonly codeVerifier: string;
}

/** For the operations that start a sign-in with `handoff`, and for the hosted pages: `state` and `codeChallenge`. */
export interface NewSignInBinding extends SignInBinding {
  /** The SHA-256 of codeVerifier (RFC 7636 section 4.2). */
  readonly codeChallenge: string;
}

/**
 * The browser that came back is not the one that started the sign-in, or it has no code: let the person sign in again.
 */
export class SignInNotStartedHere extends Error {
  override name = 'SignInNotStartedHere';
  constructor(readonly reason: 'no_code' | 'nothing_kept' | 'other_state') {
    super(`This browser did not start the sign-in: ${reason}. Let the person sign in anew.`);
  }
}

/** Makes the values of one sign-in: `const { codeChallenge, ...kept } = await bindSignIn()`. */
export async function bindSignIn(): Promise<NewSignInBinding> {
  const [state, codeVerifier] = [randomText(), randomText()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  return { state, codeVerifier, codeChallenge: base64url(new Uint8Array(digest)) };
}

export interface HostedSignIn {
  /** The server's address: `https://svc.example.com`. Default: see SvcOptions. */
  readonly baseUrl?: string | undefined;
  readonly environmentId: string;
  /** The address that the browser returns to: one of the environment's redirectUrls. */
  readonly redirectTo: string;
  readonly binding: Pick<NewSignInBinding, 'state' | 'codeChallenge'>;
  /** Fills in the address. */
  readonly email?: string | undefined;
}

/** The address of the hosted sign-in page, to send the browser to. */
export function signInUrl(options: HostedSignIn): string {
  const { environmentId, redirectTo, binding, email } = options;
  const { state, codeChallenge } = binding;
  const query = new URLSearchParams({ redirectTo, state, codeChallenge, ...(email === undefined ? {} : { email }) });
  return `${baseUrlOf(options, 'signInUrl()')}/auth/${environmentId}/signin?${query.toString()}`;
}

/**
 * The input of auth.session.exchange, from the address that the browser returned to:
 * `svc.auth.session.exchange(returnedCode(address, kept))`.
 * @param kept the data that the browser keeps; null if it keeps none
 * @throws SignInNotStartedHere
 */
export function returnedCode(
  address: string | URL,
  kept: SignInBinding | null,
): { readonly code: string; readonly codeVerifier: string } {
  const { searchParams } = new URL(address, 'http://svc.invalid');
  const code = searchParams.get('svc_code');
  if (code === null) throw new SignInNotStartedHere('no_code');
  if (kept === null) throw new SignInNotStartedHere('nothing_kept');
  if (searchParams.get('state') !== kept.state) throw new SignInNotStartedHere('other_state');
  return { code, codeVerifier: kept.codeVerifier };
}

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** RFC 4648 section 5, without padding. */
const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');
