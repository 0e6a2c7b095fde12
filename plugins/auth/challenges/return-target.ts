import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { optional, text } from '#core/kernel/schema/schema.js';
import { requireRedirect } from '../settings/redirects.js';
import type { AuthSettingsValue } from '../settings/resources.js';

/** Where a sign-in returns to, and how. Stored with the sign-in when it starts. */
export interface ReturnTarget {
  /** Checked against redirectUrls; null if no address was given. */
  readonly redirectTo: string | null;
  /** Whether the app receives a one-time code at that address instead of tokens in the answer. */
  readonly handoff: boolean;
  /** The value by which the app recognises its own sign-in. */
  readonly appState: string | null;
  /** The app's PKCE challenge. Exchanging the code requires its verifier. */
  readonly appChallenge: string | null;
}

/** A sign-in that returns nowhere. */
export const noTarget: ReturnTarget = { redirectTo: null, handoff: false, appState: null, appChallenge: null };

/** The longest `state`, in characters. */
export const maxStateLength = 256;
const longestAddress = 2_048;

const statePattern = '^[\\x21-\\x7E]+$';
/** A SHA-256 in base64url without padding (RFC 7636 section 4.2). */
const challengePattern = '^[A-Za-z0-9_-]{43}$';

/** The fields, in addition to `redirectTo`, that bind a sign-in to the browser that the app started it in. */
export const bindingFields = {
  state: optional(
    text(
      'A random value that the app stores in the browser. It is returned in the query parameter `state` of redirectTo, and the app must not accept an svc_code without it.',
      { minLength: 1, maxLength: maxStateLength, pattern: statePattern },
    ),
  ),
  codeChallenge: optional(
    text(
      'The SHA-256 of a random codeVerifier, in base64url (PKCE, S256). auth.session.exchange then requires that codeVerifier with the svc_code.',
      { minLength: 43, maxLength: 43, pattern: challengePattern },
    ),
  ),
};

/** Whether values from an address can be `state` and `codeChallenge`; null if the address does not contain one. */
export const areBindings = (state: string | null, codeChallenge: string | null): boolean =>
  (state === null || (state.length <= maxStateLength && new RegExp(statePattern).test(state))) &&
  (codeChallenge === null || new RegExp(challengePattern).test(codeChallenge));

interface Wanted {
  redirectTo?: string;
  handoff?: boolean;
  state?: string;
  codeChallenge?: string;
}

type Checking = Pick<Context<never, 'redirect_not_allowed'>, 'fail' | 'deployment'>;

/**
 * Reads where a sign-in returns to. Call it before anything is used up.
 * @throws redirect_not_allowed; invalid_input for a handoff, a state or a challenge without an address
 */
export function readReturn(
  context: Checking,
  environment: Environment,
  settings: AuthSettingsValue,
  { redirectTo, handoff = false, state, codeChallenge }: Wanted,
): ReturnTarget {
  const { fail } = context;
  if (redirectTo !== undefined) requireRedirect(context, environment, settings, redirectTo);
  const [binding] = Object.entries({ state, codeChallenge }).filter(([, value]) => value !== undefined);
  if (redirectTo === undefined && binding) throw fail.invalid_input({ field: binding[0], problem: needsAddress });
  const target = {
    redirectTo: redirectTo ?? null,
    handoff,
    appState: state ?? null,
    appChallenge: codeChallenge ?? null,
  };
  requireAddress(fail, target);
  if ((returnAddress(target)?.length ?? 0) > longestAddress)
    throw fail.invalid_input({ field: 'state', problem: `makes redirectTo longer than ${longestAddress} characters` });
  return target;
}

const needsAddress = 'requires a redirectTo when the sign-in is started';

/** @throws invalid_input for a handoff without an address to return to */
export function requireAddress(
  fail: Pick<Context['fail'], 'invalid_input'>,
  { handoff, redirectTo }: Pick<ReturnTarget, 'handoff' | 'redirectTo'>,
): void {
  if (handoff && redirectTo === null) throw fail.invalid_input({ field: 'handoff', problem: needsAddress });
}

/**
 * The return target of a stored sign-in. @param handoff what its completion requests, in place of what its start
 * requested
 */
export const targetOf = (
  { redirectTo, handoff, appState, appChallenge }: ReturnTarget,
  wanted = handoff,
): ReturnTarget => ({ redirectTo, handoff: wanted, appState, appChallenge });

/** The address that the browser returns to, with the app's state; null if no address was given. */
export function returnAddress({ redirectTo, appState }: Pick<ReturnTarget, 'redirectTo' | 'appState'>): string | null {
  if (redirectTo === null || appState === null) return redirectTo;
  const address = new URL(redirectTo);
  address.searchParams.set('state', appState);
  return address.href;
}
