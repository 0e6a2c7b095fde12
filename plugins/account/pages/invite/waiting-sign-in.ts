import type { PageCookie, PageRequest } from '#core/kernel/page.js';
import { sha256 } from '#core/runtime/secrets/digest.js';

/*
 * A sign-in on the invitation's page that is waiting for its second step. Its mfaToken is in a cookie, as on the
 * sign-in pages, so that the page can be reloaded and its address contains no token.
 */

/** How long the sign-in waits (docs/sign-in.md). */
const lifetimeSeconds = 600;

/** One for each invitation, because two may be open in one browser. */
const nameOf = (token: string): string => `svc_invite_${sha256(token).toString('hex').slice(0, 16)}`;

/** The mfaToken of the sign-in that is waiting here; undefined if there is none. @param token the invitation's */
export const waitingSignIn = ({ cookies }: PageRequest, token: string): string | undefined =>
  cookies.get(nameOf(token)) || undefined;

/**
 * The cookie to set after a form: it stores the waiting sign-in or, if there is none, removes the cookie. @param token
 * the invitation's
 */
export const waitingCookie = (token: string, mfaToken: string | undefined): PageCookie => ({
  name: nameOf(token),
  value: mfaToken ?? '',
  maxAgeSeconds: mfaToken === undefined ? 0 : lifetimeSeconds,
});
