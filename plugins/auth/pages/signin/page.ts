import type { PageAnswer, PageRequest } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { dashboard } from '#plugins/account/ports.js';
import methodsOperation from '../../operations/signin/methods.js';
import { deletedView } from '../account/screens.js';
import {
  flowCookies,
  flowIn,
  flowsIn,
  longestIdentifier,
  markedWithoutCookies,
  newFlow,
  noFlow,
  ownPage,
  screenPath,
  type Flow,
} from '../flow.js';
import { pathOf, redirectWithResult } from '../form-result.js';
import { hostedPage, type HostedVisit } from '../hosted-page.js';
import { providerView } from '../send-to-provider.js';
import { attempt, type PageProblem } from '../problem.js';
import type { Visit } from '../visit.js';
import { passkeyView } from './passkey.js';
import { refusedReturnView, returnProblem } from './return-address.js';
import { completeOAuth, submit, type Submitted } from './submit.js';
import { codeView, factorView, linkSentView, passwordView, startView, type ScreenData } from './views.js';
import type { Services } from '#core/kernel/services.js';
import { html } from '#core/surfaces/pages/html.js';
import { view } from '../parts.js';
import { pageSession } from '../session.js';

/**
 * Signs people in. An app sends its users here with `redirectTo`, one of the environment's redirect addresses, and gets
 * them back there with a one-time svc_code. Without it, the person ends on their account page, or on the hosted page
 * given in `next`.
 */
const signinPage = hostedPage({ path: '/auth/{environmentId}/signin', methods: ['GET', 'POST'] }, async (on) => {
  const { page, visit, services, result } = on;
  const screen = page.query.get('step');
  const isForm = page.method === 'POST';
  const found = flowFor(on, screen);
  const flow = found ?? newFlow();
  const refused = await returnProblem(page, visit, services, flow);
  // A form is answered by the page that shows the refusal.
  if (refused && isForm) return seeOther(screen === null ? pathOf(page) : screenPath(visit, flow, 'start'));
  if (refused) return refusedReturnView(visit, flow, refused);
  if (screen === 'provider') return completeProvider({ page, visit, services, flow });
  if (screen === 'leave') return providerView(on) ?? seeOther(startPath(visit));
  if (screen === 'deleted') return result.done === 'deleted' ? deletedView(visit) : seeOther(startPath(visit));
  const { problem } = result;
  // The address names a sign-in that has ended. Without it, nobody knows which app to lead to.
  const hasEnded = found === null && page.query.has('flow') && problem?.code !== 'cookies_off';
  if (hasEnded) return isForm ? seeOther(markedWithoutCookies(page, pathOf(page))) : endedSignIn(page, visit, services);
  if (isForm) return answerForm({ page, visit, services, flow });
  if (screen !== null && screen !== 'start') return show(on, screen, { flow, problem });
  return show(on, 'start', { flow, problem, cookies: flowCookies(on, flow) });
});

export default signinPage;

/** The sign-in that a request belongs to. @returns null if the browser has none */
function flowFor(on: HostedVisit, screen: string | null): Flow | null {
  const { page } = on;
  if (screen === null) return startingFlow(on);
  if (screen === 'provider') {
    const state = page.query.get('state');
    return flowsIn(on).find(({ providerState }) => providerState !== undefined && providerState === state) ?? null;
  }
  return screen === 'start' && !page.query.has('flow') ? null : flowIn(on);
}

/**
 * The sign-in that the address starts. If the same address was opened before and nothing has come of it, that one goes
 * on: reloading the page removes no other sign-in, and its form works also if the cookie has expired. One that has
 * reached a later screen belongs to another tab.
 */
function startingFlow(on: HostedVisit): Flow {
  const wanted = wantedBy(on.page, on.visit);
  const isSame = (each: Flow): boolean =>
    (['redirectTo', 'state', 'codeChallenge', 'next'] as const).every((name) => each[name] === wanted[name]);
  const isUnused = ({ challengeId, mfaToken, browserToken }: Flow): boolean =>
    challengeId === undefined && mfaToken === undefined && browserToken === undefined;
  const before = flowsIn(on).find((each) => isUnused(each) && isSame(each));
  const { id, repeatKey } = { ...newFlow(), ...before };
  return { id, repeatKey, ...wanted };
}

/** The facts about a starting sign-in that the address contains. They are checked by `returnProblem`. */
function wantedBy({ query }: PageRequest, visit: Visit): Omit<Flow, 'id'> {
  const redirectTo = query.get('redirectTo');
  const [state, codeChallenge, email] = [query.get('state'), query.get('codeChallenge'), query.get('email')];
  const next = ownPage(visit, query.get('next'));
  return {
    ...(redirectTo === null ? {} : { redirectTo }),
    ...(redirectTo === null || state === null ? {} : { state }),
    ...(redirectTo === null || codeChallenge === null ? {} : { codeChallenge }),
    // An app that gets the browser back decides where to send it.
    ...(next === undefined || redirectTo !== null ? {} : { next }),
    ...(email === null ? {} : { email: email.slice(0, longestIdentifier) }),
    ...(query.get('again') === 'true' ? { again: true } : {}),
  };
}

async function answerForm(submitted: Submitted): Promise<PageAnswer> {
  const { page, visit, flow } = submitted;
  const action = page.form.get('do') ?? '';
  const tried = await attempt(visit, () => submit(action, submitted));
  if ('done' in tried) return tried.done;
  const problem = inWordsOf(visit, action, tried.problem);
  const screen = startsAgain.includes(problem.code) ? 'start' : (screenOf[action] ?? 'start');
  const cookies = flowCookies(submitted, { ...flow, ...entered(page) });
  return redirectWithResult(submitted, screenPath(visit, flow, screen), { problem }, cookies);
}

/** A code of the app may be right but already used: when the app was set up, or in the previous sign-in. */
function inWordsOf({ texts }: Visit, action: string, problem: PageProblem): PageProblem {
  if (action !== 'second-factor' || problem.code !== 'wrong_code') return problem;
  return { ...problem, text: `${problem.text} ${texts.factor.worksOnce}` };
}

/** The browser has returned from a provider (see pages/oauth-callback.ts). */
async function completeProvider(submitted: Submitted): Promise<PageAnswer> {
  const { visit } = submitted;
  const { browserToken = '', providerState, ...flow } = submitted.flow;
  const tried = await attempt(visit, () => completeOAuth({ ...submitted, flow }, browserToken));
  if ('done' in tried) return tried.done;
  const { problem } = tried;
  if (flow.linking) return redirectWithResult(submitted, `${visit.root}/account`, { problem }, [noFlow(visit, flow)]);
  return redirectWithResult(submitted, screenPath(visit, flow, 'start'), { problem }, flowCookies(submitted, flow));
}

/** Starts again, without an app. */
const startPath = ({ root }: Visit): string => `${root}/signin?step=start`;

/** Stores the address that was entered. */
function entered({ form }: PageRequest): Pick<Flow, 'email'> {
  const email = form.get('email');
  return email === null || email === '' ? {} : { email: email.slice(0, longestIdentifier) };
}

/** Problems after which the screen cannot be repeated. */
const startsAgain = ['challenge_expired', 'challenge_used', 'challenge_locked', 'mfa_token_invalid', 'user_banned'];

const screenOf: Readonly<Record<string, string>> = {
  verify: 'code',
  resend: 'code',
  'password-signin': 'password',
  'second-factor': 'factor',
  recover: 'recovery',
  'passkey-signin': 'start',
};

async function show(on: HostedVisit, name: string, data: ScreenData): Promise<PageAnswer> {
  const { page, visit, services, result } = on;
  const { flow } = data;
  if (name === 'code' && flow.challengeId !== undefined) {
    const said = result.done === 'code_sent' ? visit.texts.code.resent : undefined;
    return codeView(visit, { ...data, said });
  }
  if (name === 'sent' && flow.sentTo !== undefined) return linkSentView(visit, data);
  if ((name === 'factor' || name === 'recovery') && flow.mfaToken !== undefined)
    return factorView(visit, data, name === 'recovery');
  const methods = await page.call(methodsOperation, {}, visit.options);
  const passkey = name === 'passkey' ? passkeyView(on, data, methods) : null;
  if (passkey) return passkey;
  if (name === 'password') return passwordView(visit, data, methods);
  // A later screen without the data that the cookie should contain.
  if (name !== 'start' && data.problem?.code !== 'cookies_off') return endedSignIn(page, visit, services);
  // Signing in to the dashboard does not create an account: members are invited.
  const isDashboard = await services.read('Sign-in page', ({ use }) => use(dashboard).includes(visit.environment));
  return startView(visit, data, isDashboard ? { ...methods, signup: 'closed' } : methods);
}

/**
 * Answers a later screen of a sign-in that is not in progress, for example after using the browser's Back button after
 * signing in. Signed-in people are sent to the account page, and others start again.
 */
async function endedSignIn(page: PageRequest, visit: Visit, services: Services): Promise<PageAnswer> {
  const session = await pageSession(page, visit, services);
  if (session) return seeOther(`${visit.root}/account`, session.cookies);
  const { ended: texts } = visit.texts;
  return view(visit, {
    title: texts.heading,
    status: 400,
    body: html`<div class="card">
      <h1>${texts.heading}</h1>
      <p>${texts.lead}</p>
      <p><a class="button" href="?step=start">${texts.start}</a></p>
    </div>`,
  });
}
