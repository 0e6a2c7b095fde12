import type { PageAnswer } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { html } from '#core/surfaces/pages/html.js';
import { fill } from '#core/surfaces/pages/texts.js';
import { challengeIdIn, isLinkToken } from '../challenges/secrets.js';
import complete from '../operations/link/complete.js';
import { maskEmail } from '../identities/normalize.js';
import { challenges, type ChallengeRow } from '../tables/challenge.js';
import { flowCookies, flowsIn, newFlow, ownPage, type Flow } from './flow.js';
import { pathOf, redirectWithResult } from './form-result.js';
import { hostedPage, type HostedVisit } from './hosted-page.js';
import { completeOnce } from './one-answer.js';
import { branded, brandedText, button, problemView, view } from './parts.js';
import { attempt, linkProblem } from './problem.js';
import { finish } from './signin/submit.js';
import type { Visit } from './visit.js';

/**
 * The page that magic links lead to. Opening the page uses nothing up, because mail scanners open links: the button
 * signs in.
 */
const linkPage = hostedPage({ path: '/auth/{environmentId}/link', methods: ['GET', 'POST'] }, async (on) => {
  const { page, visit, services, result } = on;
  if (result.problem) return problemView(visit, visit.texts.link.title, result.problem);
  const token = page.query.get('token') ?? '';
  const challenge = await challengeOf(services, visit, token);
  const flow = flowFor(on, token);
  if (page.method === 'GET') return linkView(on, challenge, flow);
  // Whatever the app requested: the browser that opened the link has no other way back to the app.
  const input = (challenge?.redirectTo ?? null) === null ? { token } : { token, handoff: true };
  const tried = await attempt(visit, () => completeOnce({ page, visit, flow }, complete, input));
  if ('problem' in tried) return redirectWithResult(on, pathOf(page), { problem: linkProblem(visit, tried.problem) });
  return finish({ page, visit, services, flow: flowAfter(visit, flow, challenge) }, tried.done);
});

export default linkPage;

/** The sign-in that the link belongs to, if it was started in this browser; otherwise a new one. */
function flowFor(on: HostedVisit, token: string): Flow {
  const challengeId = challengeIdIn(token);
  if (challengeId === undefined) return newFlow();
  return flowsIn(on).find((each) => each.challengeId === challengeId) ?? { ...newFlow(), challengeId };
}

/** A link may be opened in a different browser from the one that requested it. */
function flowAfter(visit: Visit, { id, repeatKey, ...before }: Flow, challenge: ChallengeRow | null): Flow {
  const next = ownPage(visit, before.next);
  const { redirectTo = null, appState = null, appChallenge = null } = challenge ?? {};
  return {
    id,
    ...(repeatKey === undefined ? {} : { repeatKey }),
    ...(redirectTo === null ? {} : { redirectTo }),
    ...(appState === null ? {} : { state: appState }),
    ...(appChallenge === null ? {} : { codeChallenge: appChallenge }),
    ...(next === undefined ? {} : { next }),
  };
}

/** The sign-in that a link completes. @returns null for a link that does not belong to any sign-in here */
async function challengeOf(
  { database }: Services,
  { environment }: Visit,
  token: string,
): Promise<ChallengeRow | null> {
  const id = challengeIdIn(token);
  if (id === undefined) return null;
  const row = await database.findOne(challenges, { id, environmentId: environment.id, purpose: 'signin_link' });
  return row && isLinkToken(row, token) ? row : null;
}

/**
 * Asks for the click that signs in, and shows the account: a link may come from a person who wants the reader to use
 * that person's account. The address is masked, because a link may be opened on any device.
 */
function linkView(on: HostedVisit, challenge: ChallengeRow | null, flow: Flow): PageAnswer {
  const { visit } = on;
  const { link: texts } = visit.texts;
  const address = challenge?.identityValue ?? null;
  return view(visit, {
    title: brandedText(visit, texts.heading),
    formTarget: challenge?.redirectTo ?? undefined,
    cookies: flowCookies(on, flow),
    body: html`<div class="card">
      <h1>${branded(visit, texts.heading)}</h1>
      ${address !== null && html`<p>${fill(texts.as, { email: html`<strong><bdi>${maskEmail(address)}</bdi></strong>` })}</p>`}
      <p>${texts.lead}</p>
      <form method="post"><div class="stack">${button('complete', texts.button)}</div></form>
    </div>`,
  });
}
