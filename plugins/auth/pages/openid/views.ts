import type { PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { fill, fillText } from '#core/surfaces/pages/texts.js';
import { webOrAppAddress } from '#core/surfaces/pages/app-scheme.js';
import { branded, button, fact, view } from '../parts.js';
import { signedInAs, type NamedUser } from '../user-label.js';
import type { Visit } from '../visit.js';

/** Asks whether to sign out, which an app has suggested (OpenID Connect RP-Initiated Logout 1.0 section 2). */
export function logoutView(
  visit: Visit,
  { action, xsrf, returnsTo }: { action: string; xsrf: string; returnsTo: string | undefined },
): PageAnswer {
  const { openid: texts, common } = visit.texts;
  // The answer to the form redirects to the app, which the policy must allow.
  const target = returnsTo === undefined ? '' : webOrAppAddress(returnsTo);
  return view(visit, {
    title: texts.logoutHeading,
    policy: { 'form-action': `'self' ${target}`.trim() },
    body: html`<div class="card">
      <h1>${texts.logoutHeading}</h1>
      <p>${branded(visit, texts.logoutLead)}</p>
      <form method="post" action=${action}>
        <input type="hidden" name="xsrf" value=${xsrf} />
        <div class="stack">
          <button name="logout" value="yes">${common.signOut}</button>
          <button class="quiet">${texts.stay}</button>
        </div>
      </form>
    </div>`,
  });
}

/** After signing out, if the app has not asked to return. */
export function signedOutView(visit: Visit): PageAnswer {
  const { openid: texts } = visit.texts;
  return view(visit, {
    title: texts.signedOut,
    body: html`<div class="card">
      <div role="status"><h1>${texts.signedOut}</h1></div>
      <p>${texts.signedOutText}</p>
    </div>`,
  });
}

/**
 * The app's request is wrong, and its address is not known or not allowed, so that the browser cannot return to it. The
 * library's words are for the developer of the app.
 */
export function errorView(visit: Visit, status: number, error: string, description = ''): PageAnswer {
  const { openid: texts } = visit.texts;
  return view(visit, {
    title: texts.failed,
    status,
    body: html`<div class="card">
      <h1>${texts.failed}</h1>
      <p>${texts.expired}</p>
      <p class="muted"><code>${error}</code> ${description}</p>
    </div>`,
  });
}

/** The scopes that a consent page explains. `openid` alone tells the app nothing but an id. */
const explained = ['profile', 'email', 'phone', 'groups', 'offline_access'] as const;

/** Asks whether an app that is not the owner's own may know the user. */
export function consentView(
  visit: Visit,
  { appName, scopes, user, host }: { appName: string; scopes: readonly string[]; user: NamedUser; host: string },
): PageAnswer {
  const { openid: texts } = visit.texts;
  const shown = explained.filter((each) => scopes.includes(each));
  return view(visit, {
    title: fillText(texts.consentHeading, { app: appName }),
    body: html`<div class="card">
      <h1>${fill(texts.consentHeading, { app: html`<bdi>${appName}</bdi>` })}</h1>
      <p class="muted">${signedInAs(visit, user)}</p>
      <p>${texts.consentLead}</p>
      <ul>
        <li>${texts.scopes.openid}</li>
        ${shown.map((each) => html`<li>${texts.scopes[each]}</li>`)}
      </ul>
      <dl class="facts">${fact(texts.returnsTo, html`<bdi>${host}</bdi>`)}</dl>
      <form method="post">
        <div class="stack">${button('allow', texts.allow)} ${button('deny', texts.deny, true)}</div>
      </form>
    </div>`,
  });
}
