import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import type { ReplyOf } from '#core/kernel/operation.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill, fillText } from '#core/surfaces/pages/texts.js';
import type methodsOperation from '../../operations/signin/methods.js';
import { screenQuery, type Flow } from '../flow.js';
import { isNumber } from '../identifier.js';
import { alert, branded, brandedText, button, divider, field, oneButton, status, view } from '../parts.js';
import { autofill, autofillForm } from '../passkeys/autofill.js';
import type { PageProblem } from '../problem.js';
import type { Visit } from '../visit.js';

export type Methods = ReplyOf<typeof methodsOperation>;

/** The data from which every screen of the sign-in page is rendered. */
export interface ScreenData {
  flow: Flow;
  problem?: PageProblem | undefined;
  /** The result of the screen before, for the reader. */
  said?: string | undefined;
  cookies?: readonly PageCookie[];
}

const answer = (
  visit: Visit,
  { flow, problem, said, cookies }: ScreenData,
  title: string,
  body: Markup,
  more = {},
): PageAnswer =>
  view(visit, {
    title,
    status: problem?.status ?? 200,
    formTarget: flow.redirectTo,
    ...(cookies ? { cookies } : {}),
    ...more,
    body: html`<div class="card">${status(said)}${alert(problem)}${body}</div>`,
  });

/** Whether a passkey is the only way to sign in. */
export const hasOnlyPasskeys = ({ passkey, oauth, ...byAddress }: Methods['methods']): boolean =>
  passkey && oauth.length === 0 && !Object.values(byAddress).includes(true);

/** The first screen: the address, and every way to sign in that the environment offers. */
export function startView(visit: Visit, screen: ScreenData, { methods, signup }: Methods): PageAnswer {
  const { signin: texts, common } = visit.texts;
  const { code, link, password, passkey, sms, oauth } = methods;
  const byAddress = [
    ...(code || sms ? [{ action: 'code', label: sms ? texts.sendCodeAnywhere : texts.sendCode }] : []),
    ...(link ? [{ action: 'link', label: texts.sendLink }] : []),
    ...(password ? [{ action: 'password', label: texts.usePassword }] : []),
  ];
  const others = [
    ...(passkey ? [oneButton('passkey', texts.usePasskey)] : []),
    ...oauth.map(({ provider, name }) =>
      oneButton('provider', fillText(texts.withProvider, { provider: name }), { provider }),
    ),
  ];
  const hasAutofill = passkey && byAddress.length > 0;
  // A passkey belongs to an account that exists.
  const createsAccounts = signup === 'open' && !hasOnlyPasskeys(methods);
  const lead = screen.flow.again ? texts.leadAgain : createsAccounts ? texts.lead : texts.leadClosed;
  return answer(
    visit,
    screen,
    brandedText(visit, texts.heading),
    html`
      <h1>${branded(visit, texts.heading)}</h1>
      ${byAddress.length + others.length === 0 ? html`<p>${texts.none}</p>` : html`<p class="muted">${lead}</p>`}
      ${
        byAddress.length > 0 &&
        html`<form method="post">
          ${field({
            name: 'email',
            ...identifierField(common, methods),
            autocomplete: passkey ? 'username webauthn' : 'username',
            value: screen.flow.email,
            maxLength: 254,
            autofocus: !screen.problem,
            problem: screen.problem,
          })}
          <div class="stack">${byAddress.map(({ action, label }, index) => button(action, label, index > 0))}</div>
        </form>`
      }
      ${byAddress.length > 0 && others.length > 0 && divider(common.or)}
      ${others.length > 0 && html`<div class="stack">${others}</div>`} ${hasAutofill && autofillForm()}
    `,
    hasAutofill ? autofill : {},
  );
}

/** One field for a person's identifier: an address, a number, or either, depending on the environment's methods. */
function identifierField(
  { address, addressOrNumber, number, numberHint }: Visit['texts']['common'],
  { code, link, password, sms }: Methods['methods'],
): { type: string; label: string; hint?: string } {
  const takesAddresses = code || link || password;
  if (!sms) return { type: 'email', label: address };
  return takesAddresses
    ? { type: 'text', label: addressOrNumber, hint: numberHint }
    : { type: 'tel', label: number, hint: numberHint };
}

/**
 * The destination of a message, as it was typed in this browser, so that a typing error is visible. The operation's
 * answer is masked, because people who typed nothing here also get it.
 */
const sentTo = (text: string, { email, sentTo: masked }: Flow): Markup =>
  fill(text, { email: html`<strong><bdi>${email ?? masked}</bdi></strong>` });

/** Why a message may not arrive. */
const bouncedBefore = (visit: Visit, flow: Flow): Markup | false =>
  flow.hasBounced === true && html`<p>${sentTo(visit.texts.code.bounced, flow)}</p>`;

/** The second screen for an address: the code that was sent. */
export function codeView(visit: Visit, screen: ScreenData): PageAnswer {
  const { code: texts, common } = visit.texts;
  return answer(
    visit,
    screen,
    texts.title,
    html`
      <h1>${texts.heading}</h1>
      <p>${sentTo(texts.sent, screen.flow)}</p>
      ${bouncedBefore(visit, screen.flow)}
      <form method="post">
        ${field({
          name: 'code',
          label: common.code,
          hint: texts.hint,
          autocomplete: 'one-time-code',
          numeric: true,
          maxLength: 12,
          autofocus: !screen.problem,
          problem: screen.problem,
        })}
        <div class="stack">${button('verify', common.signIn)}</div>
      </form>
      <div class="foot-links">
        ${oneButton('resend', texts.resend, {}, 'plain')}
        <a href=${screenQuery(screen.flow, 'start')}>${texts.other}</a>
      </div>
    `,
  );
}

/** After a link was sent. */
export function linkSentView(visit: Visit, screen: ScreenData): PageAnswer {
  const { linkSent: texts, code } = visit.texts;
  return answer(
    visit,
    screen,
    texts.title,
    html`
      <h1>${texts.heading}</h1>
      <p>${sentTo(texts.sent, screen.flow)}</p>
      ${bouncedBefore(visit, screen.flow)}
      <p class="muted">${texts.hint}</p>
      <div class="foot-links"><a href=${screenQuery(screen.flow, 'start')}>${code.other}</a></div>
    `,
  );
}

/** The entered text, if it is an address: passwords belong to addresses. */
const addressIn = ({ email }: Flow): string | undefined => (email === undefined || isNumber(email) ? undefined : email);

/** Address and password. */
export function passwordView(visit: Visit, screen: ScreenData, { methods }: Methods): PageAnswer {
  const { passwordStep: texts, common, signin } = visit.texts;
  const isAddress = screen.problem?.field === 'email';
  return answer(
    visit,
    screen,
    texts.heading,
    html`
      <h1>${texts.heading}</h1>
      <form method="post">
        ${field({ name: 'email', type: 'email', label: common.address, autocomplete: 'username', value: addressIn(screen.flow), maxLength: 254, problem: isAddress ? screen.problem : undefined })}
        ${field({
          name: 'password',
          type: 'password',
          label: common.password,
          autocomplete: 'current-password',
          autofocus: !screen.problem,
          problem: isAddress ? undefined : screen.problem,
        })}
        <div class="stack">${button('password-signin', common.signIn)}</div>
      </form>
      <div class="foot-links">
        ${methods.code && addressIn(screen.flow) !== undefined && oneButton('code', texts.forgot, { email: addressIn(screen.flow) ?? '' }, 'plain')}
        <a href=${screenQuery(screen.flow, 'start')}>${signin.useOther}</a>
      </div>
    `,
  );
}

/** The second factor. */
export function factorView(visit: Visit, screen: ScreenData, recovery: boolean): PageAnswer {
  const { factor: texts, common } = visit.texts;
  const { factors = [] } = screen.flow;
  return answer(
    visit,
    screen,
    texts.title,
    html`
      <h1>${recovery ? texts.recoveryHeading : texts.heading}</h1>
      <p>${recovery ? texts.recoveryLead : texts.lead}</p>
      <form method="post">
        ${field({
          name: 'code',
          label: recovery ? texts.recoveryCode : common.code,
          autocomplete: recovery ? 'off' : 'one-time-code',
          numeric: !recovery,
          maxLength: 20,
          autofocus: !screen.problem,
          problem: screen.problem,
        })}
        <div class="stack">${button(recovery ? 'recover' : 'second-factor', common.signIn)}</div>
      </form>
      <div class="foot-links">
        ${!recovery && factors.includes('recovery_code') && html`<a href=${screenQuery(screen.flow, 'recovery')}>${texts.useRecovery}</a>`}
        ${recovery && factors.includes('totp') && html`<a href=${screenQuery(screen.flow, 'factor')}>${texts.useApp}</a>`}
        <a href=${screenQuery(screen.flow, 'start')}>${common.cancel}</a>
      </div>
    `,
  );
}
