import { SvcError } from '#core/kernel/errors/errors.js';
import type { Page, PageAnswer, PageCookie, PageRequest } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import meGet from '../operations/me/get.js';
import { pathOf } from './form-result.js';
import { hostedPage, type HostedVisit } from './hosted-page.js';
import { signedOut, withSession } from './session.js';
import type { Visit } from './visit.js';

/** A request by a person who is signed in to the environment's hosted pages. */
export interface SignedInVisit extends HostedVisit {
  accessToken: string;
}

/** Codes that `signedInPage` answers with the sign-in page: forms do not show them as a problem. */
export const signInCodes: readonly string[] = [...signedOut, 'reauth_required'];

/**
 * A page that requires a signed-in person. Others sign in first and return, as do people whose session has ended, and
 * those who must sign in again for something that needs a recent sign-in.
 */
export const signedInPage = (
  facts: Omit<Page, 'answer'>,
  answer: (visit: SignedInVisit) => Promise<PageAnswer>,
): Page =>
  hostedPage(facts, async (on) => {
    const { page, visit, services } = on;
    const found = await withSession(page, visit, services, async ({ accessToken }) => {
      try {
        return await answer({ ...on, accessToken });
      } catch (error) {
        if (error instanceof SvcError && error.code === 'reauth_required') return toSignIn(page, visit, true);
        throw error;
      }
    });
    return 'ended' in found
      ? withCookies(toSignIn(page, visit), found.ended)
      : withCookies(found.done, found.session.cookies);
  });

const withCookies = (answer: PageAnswer, cookies: readonly PageCookie[]): PageAnswer =>
  cookies.length === 0 ? answer : { ...answer, cookies: [...cookies, ...(answer.cookies ?? [])] };

/**
 * Where to send a session that has not passed a required second factor: to sign in with the factor that the user has.
 * @returns null if the user has none: it must be set up first
 */
export async function toSecondFactor(
  { page, visit, accessToken }: Pick<SignedInVisit, 'page' | 'visit' | 'accessToken'>,
  next = pathOf(page),
): Promise<PageAnswer | null> {
  const { factors } = await page.call(meGet, { accessToken }, visit.options);
  return factors.some(({ status }) => status === 'active') ? toSignIn(page, visit, true, next) : null;
}

/**
 * The sign-in page, which leads back here.
 * @param again if the session lacks what something requires
 * @param next another page of the environment to lead to
 */
export function signInPath(page: PageRequest, { root }: Visit, again = false, next = pathOf(page)): string {
  return `${root}/signin?${new URLSearchParams({ next, ...(again ? { again: 'true' } : {}) }).toString()}`;
}

/** To the sign-in page and back here. */
export const toSignIn = (page: PageRequest, visit: Visit, again = false, next = pathOf(page)): PageAnswer =>
  seeOther(signInPath(page, visit, again, next));
