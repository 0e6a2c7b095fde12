import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { leadingTo } from '#core/surfaces/pages/leading-to.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { handoffSeconds } from '../signin/handoff.js';
import type { FormVisit } from './form-result.js';
import { hostedPage } from './hosted-page.js';
import { view } from './parts.js';
import { openedCookie, sealedCookie } from './sealed-cookie.js';
import type { Visit } from './visit.js';

/*
 * How the pages lead from a form to an app. The address contains the one-time code, so it is in a sealed cookie: nobody
 * else can choose it, and the address of the page on the way says nothing.
 */

const use = { kind: 'leave', boundTo: 'app' } as const;

/** Longer addresses do not fit into a cookie. */
const longestKept = 2_500;

/**
 * Leads from a form to an app.
 * @param address of the app, with the code; checked against redirectUrls
 * @param cookies to set with the answer
 */
export function leaveTo(
  { page, visit, services }: FormVisit,
  address: string,
  cookies: readonly PageCookie[],
): PageAnswer {
  // Without a cookie, reloading the page would submit the form again, but no other way leads to the app.
  if (page.cookies.size === 0 || address.length > longestKept) return { ...leavingView(visit, address), cookies };
  // As long as the code works: the page may be reloaded.
  const kept = sealedCookie(services, visit, use, { texts: { address }, maxAgeSeconds: handoffSeconds });
  return seeOther(`${visit.root}/leave`, [...cookies, kept]);
}

/** The page on the way to the app that a form led to. Without such a form it leads to the account page. */
const leavePage = hostedPage({ path: '/auth/{environmentId}/leave', methods: ['GET'] }, async (on) => {
  const address = openedCookie(on.services, on.page, on.visit, use)?.get('address');
  return address === undefined ? seeOther(`${on.visit.root}/account`) : leavingView(on.visit, address);
});

export default leavePage;

/** Leads on to an address outside the pages. */
export const leavingView = (visit: Visit, address: string): PageAnswer =>
  leadingTo(
    view(visit, {
      title: visit.texts.signin.title,
      body: html`<div class="card">
        <p><a class="button" href=${address}>${visit.texts.common.continue}</a></p>
      </div>`,
    }),
    address,
  );
