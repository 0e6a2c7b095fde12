import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { html } from '#core/surfaces/pages/html.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import methodsOperation from '../../operations/signin/methods.js';
import passkeyStart from '../../operations/passkey/signin/start.js';
import { flowCookie, flowIn, lacksCookies, ownPage, type Flow } from '../flow.js';
import { passkeyForm } from '../passkey-form.js';
import { passkeyScript } from '../passkey-script.js';
import { alert, view } from '../parts.js';
import { attempt, visitOf, type PageProblem, type Visit } from '../visit.js';
import { endedSignIn } from './ended.js';
import { mayReturn, refusedReturnView } from './return-address.js';
import { completeOAuth, submit } from './submit.js';
import { codeView, factorView, linkSentView, passwordView, startView, type Step } from './views.js';

/**
 * Signs people in. An app sends its users here with `redirectTo`, one of the environment's redirect addresses, and gets them back there
 * with a one-time svc_code; without it the person ends on their account page, or on the hosted page that `next` names.
 */
const signinPage: Page = {
  path: '/auth/{environmentId}/signin',
  methods: ['GET', 'POST'],
  async answer(page, services) {
    const visit = await visitOf(page, services);
    const step = page.query.get('step');
    const isNew = page.method === 'GET' && step === null;
    const flow = isNew ? newFlow(page, visit) : flowIn(page, visit);
    if (!(await mayReturn(page, visit, services, flow))) return refusedReturnView(visit);
    if (page.method === 'POST') return answerForm(page, visit, services, flow);
    if (step === 'provider') return completeProvider(page, visit, services, flow);
    if (step !== null && step !== 'start') return show(page, visit, services, step, { flow });
    return show(page, visit, services, 'start', { flow, cookies: [flowCookie(visit, flow)] });
  },
};

export default signinPage;

/** What the address says of a sign-in that begins. */
function newFlow({ query }: PageRequest, visit: Visit): Flow {
  const redirectTo = query.get('redirectTo');
  const next = ownPage(visit, query.get('next'));
  const email = query.get('email');
  return {
    ...(redirectTo === null ? {} : { redirectTo }),
    ...(next === undefined ? {} : { next }),
    ...(email === null ? {} : { email: email.slice(0, 254) }),
    ...(query.get('again') === 'true' ? { again: true } : {}),
  };
}

async function answerForm(page: PageRequest, visit: Visit, services: Services, flow: Flow): Promise<PageAnswer> {
  const action = page.form.get('do') ?? '';
  const tried = await attempt(visit, () => submit(action, { page, visit, services, flow }));
  if ('done' in tried) return tried.done;
  return afterProblem(page, visit, services, action, { ...flow, ...entered(page) }, tried.problem);
}

/** The browser is back from a provider (see oauth/callback-page.ts). */
async function completeProvider(
  page: PageRequest,
  visit: Visit,
  services: Services,
  { browserToken = '', ...flow }: Flow,
): Promise<PageAnswer> {
  const tried = await attempt(visit, () => completeOAuth({ page, visit, services, flow }, browserToken));
  if ('done' in tried) return tried.done;
  return show(page, visit, services, 'start', { flow, problem: tried.problem, cookies: [flowCookie(visit, flow)] });
}

/** Keeps the address that was entered. */
function entered({ form }: PageRequest): Flow {
  const email = form.get('email');
  return email === null || email === '' ? {} : { email: email.slice(0, 254) };
}

/** Problems after which the step cannot be repeated. */
const startsAgain = ['challenge_expired', 'challenge_used', 'challenge_locked', 'mfa_token_invalid', 'user_banned'];

const stepOf: Readonly<Record<string, string>> = {
  verify: 'code',
  resend: 'code',
  'password-signin': 'password',
  'second-factor': 'factor',
  recover: 'recovery',
  'passkey-signin': 'start',
};

async function afterProblem(
  page: PageRequest,
  visit: Visit,
  services: Services,
  action: string,
  flow: Flow,
  problem: PageProblem,
): Promise<PageAnswer> {
  const step = startsAgain.includes(problem.code) ? 'start' : (stepOf[action] ?? 'start');
  return show(page, visit, services, step, { flow, problem, cookies: [flowCookie(visit, flow)] });
}

async function show(
  page: PageRequest,
  visit: Visit,
  services: Services,
  name: string,
  step: Step,
): Promise<PageAnswer> {
  const { flow } = step;
  if (name === 'code' && flow.challengeId !== undefined) {
    const said = page.query.get('again') === 'true' && !step.problem ? visit.texts.code.resent : undefined;
    return codeView(visit, { ...step, said });
  }
  if (name === 'sent' && flow.sentTo !== undefined) return linkSentView(visit, step);
  if ((name === 'factor' || name === 'recovery') && flow.mfaToken !== undefined)
    return factorView(visit, step, name === 'recovery');
  const methods = await page.call(methodsOperation, {}, visit.options);
  if (name === 'password') return passwordView(visit, step, methods);
  if (name === 'passkey') return passkeyView(page, visit, step);
  if (name === 'start') return startView(visit, step, methods);
  // A later step without what the cookie should hold.
  if (!lacksCookies(page)) return endedSignIn(page, visit, services);
  const problem = { status: 400, code: 'cookies_off', text: visit.texts.errors.cookies_off };
  return startView(visit, { ...step, problem }, methods);
}

async function passkeyView(page: PageRequest, visit: Visit, { flow, problem }: Step): Promise<PageAnswer> {
  const { passkeyStep: texts, signin } = visit.texts;
  const started = await attempt(visit, () => page.call(passkeyStart, {}, visit.options));
  if ('problem' in started) return seeOther('?step=start');
  const { challengeId, options } = started.done;
  return view(visit, {
    title: texts.title,
    script: passkeyScript,
    status: problem?.status ?? 200,
    ...(flow.redirectTo === undefined ? {} : { formTargets: [flow.redirectTo] }),
    body: html`<div class="card">
      ${alert(problem)}
      <h1>${texts.heading}</h1>
      <p>${texts.lead}</p>
      ${passkeyForm(visit, { options, challengeId, ceremony: 'get', action: 'passkey-signin', label: texts.use })}
      <div class="foot-links"><a href="?step=start">${signin.useOther}</a></div>
    </div>`,
  });
}
