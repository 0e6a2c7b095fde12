import type { PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { minutes } from '../../tables/lifetimes.js';
import passkeyStart from '../../operations/passkey/signin/start.js';
import { flowCookies, nextScreenPath, screenQuery, type Flow } from '../flow.js';
import type { FormVisit } from '../form-result.js';
import type { HostedVisit } from '../hosted-page.js';
import { passkeyForm } from '../passkeys/form.js';
import { passkeyScript } from '../passkeys/script.js';
import { alert, view } from '../parts.js';
import { openedCookie, sealedCookie } from '../sealed-cookie.js';
import { hasOnlyPasskeys, type Methods, type ScreenData } from './views.js';

/** The ceremony is kept in a sealed cookie, so that reloading the screen does not start another one. */
const cookie = { kind: 'passkey_signin', boundTo: 'signin' } as const;

/** Starts a sign-in by passkey. @throws the refusals of auth.passkey.signin.start */
export async function startPasskeySignIn({
  page,
  visit,
  services,
  flow,
}: FormVisit & { flow: Flow }): Promise<PageAnswer> {
  const { challengeId, options } = await page.call(passkeyStart, {}, visit.options);
  const kept = sealedCookie(services, visit, cookie, {
    texts: { challengeId, options: JSON.stringify(options) },
    maxAgeSeconds: minutes.passkey * 60,
  });
  return seeOther(nextScreenPath(page, visit, flow, 'passkey'), [
    ...flowCookies({ page, visit, services }, flow),
    kept,
  ]);
}

/** The screen that requests the passkey from the browser; null if no ceremony was started here, or too long ago. */
export function passkeyView(
  { page, visit, services }: HostedVisit,
  { flow, problem }: ScreenData,
  { methods }: Methods,
): PageAnswer | null {
  const kept = openedCookie(services, page, visit, cookie);
  const [challengeId, options] = [kept?.get('challengeId'), kept?.get('options')];
  if (challengeId === undefined || options === undefined) return null;
  const { passkeyStep: texts, signin, ended } = visit.texts;
  const isOnlyWay = hasOnlyPasskeys(methods);
  return view(visit, {
    title: texts.title,
    script: passkeyScript,
    status: problem?.status ?? 200,
    formTarget: flow.redirectTo,
    body: html`<div class="card">
      ${alert(problem)}
      <h1>${texts.heading}</h1>
      <p>${texts.lead}</p>
      ${passkeyForm(visit, { options: JSON.parse(options), challengeId, ceremony: 'get', action: 'passkey-signin', label: texts.use, isOnlyWay })}
      <div class="foot-links">
        <a href=${screenQuery(flow, 'start')}>${isOnlyWay ? ended.start : signin.useOther}</a>
      </div>
    </div>`,
  });
}
