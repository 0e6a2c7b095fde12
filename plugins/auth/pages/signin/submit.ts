import { refusalOf } from '#core/kernel/errors/common.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { PageAnswer } from '#core/kernel/page.js';
import { appSchemeOf } from '#core/surfaces/pages/app-scheme.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import mfaRecover from '../../operations/mfa/recover.js';
import mfaVerify from '../../operations/mfa/verify.js';
import oauthComplete from '../../operations/oauth/complete.js';
import oauthStart from '../../operations/oauth/start.js';
import passkeyVerify from '../../operations/passkey/signin/verify.js';
import passwordSignin from '../../operations/password/signin.js';
import start from '../../operations/signin/start.js';
import verify from '../../operations/signin/verify.js';
import type { SignInResultValue } from '../../signin/result.js';
import {
  flowCookies,
  longestIdentifier,
  nextScreenPath,
  noFlow,
  ownPage,
  screenPath,
  screenQuery,
  type Flow,
} from '../flow.js';
import { identifierOf, sixDigits } from '../identifier.js';
import { autofillOptions } from '../passkeys/autofill.js';
import { redirectWithResult, type FormVisit } from '../form-result.js';
import { leaveTo } from '../leave.js';
import { completeOnce } from '../one-answer.js';
import { sendToProvider } from '../send-to-provider.js';
import { authenticationResponse } from '../passkeys/response.js';
import { sessionCookies } from '../session.js';
import { startPasskeySignIn } from './passkey.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import exchange from '../../operations/session/exchange.js';
import { readHandoffSession } from '../../sessions/read.js';
import { pendingCookieOf } from '../account/pending.js';

export interface Submitted extends FormVisit {
  flow: Flow;
}

type Action = (submitted: Submitted) => Promise<PageAnswer>;

/** What each button of the sign-in page does, by the button's value. */
const actions: Readonly<Record<string, Action>> = {
  code: (submitted) => send(submitted, 'code'),
  link: (submitted) => send(submitted, 'link'),
  resend: (submitted) => send(submitted, 'code', true),
  password: async (submitted) => {
    const { page, flow } = submitted;
    const email = entered(page.form.get('email') ?? '');
    return seeOther(screenQuery(flow, 'password'), flowCookies(submitted, { ...flow, email }));
  },
  passkey: startPasskeySignIn,
  'passkey-options': ({ page, visit }) => autofillOptions(page, visit),
  async verify(submitted) {
    const { page, flow } = submitted;
    const code = sixDigits(page);
    const { challengeId } = flow;
    if (challengeId === undefined) throw invalidField('code', 'does not belong to a sign-in');
    return finish(submitted, await completeOnce(submitted, verify, { challengeId, code, handoff: wantsHandoff(flow) }));
  },
  async 'password-signin'(submitted) {
    const { page, visit, flow } = submitted;
    const input = { email: page.form.get('email') ?? '', password: page.form.get('password') ?? '' };
    return finish(submitted, await page.call(passwordSignin, { ...input, ...returnOf(flow) }, visit.options));
  },
  async 'passkey-signin'(submitted) {
    const { page, visit, flow } = submitted;
    const challengeId = page.form.get('challengeId') ?? '';
    const response = authenticationResponse(page.form.get('response') ?? '');
    return finish(
      submitted,
      await page.call(passkeyVerify, { challengeId, response, ...returnOf(flow) }, visit.options),
    );
  },
  async 'second-factor'(submitted) {
    const { page, flow } = submitted;
    const code = sixDigits(page);
    const input = { mfaToken: flow.mfaToken ?? '', code, handoff: wantsHandoff(flow) };
    return finish(submitted, await completeOnce(submitted, mfaVerify, input));
  },
  async recover(submitted) {
    const { page, flow } = submitted;
    const recoveryCode = (page.form.get('code') ?? '').trim();
    const input = { mfaToken: flow.mfaToken ?? '', recoveryCode, handoff: wantsHandoff(flow) };
    return finish(submitted, await completeOnce(submitted, mfaRecover, input));
  },
  async provider(submitted) {
    const { page, visit, services } = submitted;
    const { linking, ...flow } = submitted.flow; // This starts a sign-in, whatever was started before.
    const provider = page.form.get('provider') ?? '';
    const redirectTo = `${services.deployment.baseUrl}${visit.root}/account`;
    const input = { provider, redirectTo, ...returnOf(flow) };
    const started = await page.call(oauthStart, input, visit.options);
    return sendToProvider(submitted, started.authorizationUrl, { ...flow, browserToken: started.browserToken });
  },
};

/** Completes a sign-in with the provider's response. @throws the refusals of auth.oauth.complete */
export async function completeOAuth(submitted: Submitted, browserToken: string): Promise<PageAnswer> {
  const { page, visit, flow } = submitted;
  const { query } = page;
  const issuer = query.get('iss');
  const input = { code: query.get('code') ?? '', state: query.get('state') ?? '', browserToken };
  // The person refused at the provider, or the provider failed: the callback has no code.
  if (query.has('error') || input.code === '')
    throw refusalOf.provider_failed({
      provider: 'The provider',
      problem: 'it did not send a code',
      nextStep: 'Start again.',
    });
  const result = await page.call(oauthComplete, issuer === null ? input : { ...input, issuer }, visit.options);
  // The account was added to the signed-in user, whose session continues.
  if (result.status === 'complete' && result.tokens === null)
    return redirectWithResult(submitted, `${visit.root}/account`, { done: 'address_added' }, [noFlow(visit, flow)]);
  return finish(submitted, result);
}

/** Does what a button of the sign-in page requests. @throws the refusals of the operations */
export async function submit(action: string, submitted: Submitted): Promise<PageAnswer> {
  const known = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!known) throw invalidField('do', 'is not a button of this page');
  return known(submitted);
}

const wantsHandoff = ({ redirectTo }: Flow): boolean => redirectTo !== undefined;

/** The address to which the app wants the browser to return, in the form that the operations accept. */
const returnOf = ({ redirectTo, state, codeChallenge }: Flow) =>
  redirectTo === undefined
    ? {}
    : {
        redirectTo,
        handoff: true,
        ...(state === undefined ? {} : { state }),
        ...(codeChallenge === undefined ? {} : { codeChallenge }),
      };

/** The identifier that was entered, cut to the length that the cookie stores. */
const entered = (identifier: string): string => identifier.slice(0, longestIdentifier);

async function send(submitted: Submitted, method: 'code' | 'link', again = false): Promise<PageAnswer> {
  const { page, visit, flow } = submitted;
  const email = page.form.get('email') ?? flow.email ?? '';
  const identifier = identifierOf(email);
  // A number gets a code, no matter which button was pressed.
  const sent = 'phone' in identifier ? 'code' : method;
  const input = { ...identifier, method: sent, locale: visit.lang, ...returnOf(flow) };
  const { challengeId, sentTo, hasBounced } = await page.call(start, input, visit.options);
  const cookies = flowCookies(submitted, { ...flow, email: entered(email), challengeId, sentTo, hasBounced });
  if (again) return redirectWithResult(submitted, screenPath(visit, flow, 'code'), { done: 'code_sent' }, cookies);
  return seeOther(nextScreenPath(page, visit, flow, sent === 'link' ? 'sent' : 'code'), cookies);
}

/**
 * Continues after a sign-in's answer: to the second step, to the app, or to the page that the person wanted.
 * @throws the refusals of auth.session.exchange
 */
export async function finish(submitted: Submitted, result: SignInResultValue): Promise<PageAnswer> {
  const { page, visit, services, flow } = submitted;
  if (result.status === 'mfa_required' && result.mfa) {
    const { mfaToken, factors } = result.mfa;
    const screen = factors.includes('totp') ? 'factor' : 'recovery';
    return seeOther(nextScreenPath(page, visit, flow, screen), flowCookies(submitted, { ...flow, mfaToken, factors }));
  }
  if (result.status === 'handoff' && result.redirectTo !== null) {
    const { redirectTo } = result;
    const cookies = [noFlow(visit, flow)];
    const isApp = appSchemeOf(redirectTo) !== undefined;
    // The pages of a sign-in allow a redirect to the app (formTarget).
    const left = (): PageAnswer => (isApp ? seeOther(redirectTo, cookies) : leaveTo(submitted, redirectTo, cookies));
    return (await setUpFactorFirst(submitted, redirectTo)) ?? left();
  }
  if (!result.tokens) throw new Error(`A sign-in answered ${result.status} without what it needs.`);
  const cookies = [...sessionCookies(visit, result.tokens, services.clock.now()), noFlow(visit, flow)];
  return seeOther(ownPage(visit, flow.next) ?? `${visit.root}/account`, cookies);
}

/**
 * If a second factor is required and the person has none, the app could do nothing with the session. So the pages keep
 * it for now: on the account page the person sets up a factor, and then continues to the app (account/destination.ts).
 * @param handoff the app's address with the one-time code, which is used up here
 * @returns null if the session lacks nothing. @throws the refusals of auth.session.exchange
 */
async function setUpFactorFirst(on: FormVisit & { flow: Flow }, handoff: string): Promise<PageAnswer | null> {
  const { visit, services, flow } = on;
  const code = new URL(handoff).searchParams.get('svc_code') ?? '';
  const found = await readHandoffSession(services.database, visit.environment.id, sha256(code));
  if (!found?.requiresFactor || found.session.mfa) return null;
  const { tokens, user } = await completeOnce(on, exchange, { code });
  return seeOther(`${visit.root}/account`, [
    ...sessionCookies(visit, tokens, services.clock.now()),
    pendingCookieOf(on, user.id, 'destination', {
      address: flow.redirectTo ?? handoff,
      ...(flow.state === undefined ? {} : { state: flow.state }),
      ...(flow.codeChallenge === undefined ? {} : { codeChallenge: flow.codeChallenge }),
    }),
    noFlow(visit, flow),
  ]);
}
