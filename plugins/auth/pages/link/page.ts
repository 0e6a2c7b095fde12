import type { PageAnswer } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { html } from '#core/surfaces/pages/html.js';
import { challengeIdIn } from '../../challenges/secrets.js';
import complete from '../../operations/link/complete.js';
import { challenges } from '../../tables/challenge.js';
import { flowCookie, flowIn, ownPage, type Flow } from '../flow.js';
import { pathOf, redirectWithResult } from '../form-result.js';
import { hostedPage } from '../hosted-page.js';
import { completeOnce, newRepeatKey } from '../one-answer.js';
import { branded, brandedText, button, view } from '../parts.js';
import { problemView } from '../problem-view.js';
import { finish } from '../signin/submit.js';
import { attempt, linkProblem } from '../problem.js';
import type { Visit } from '../visit.js';

/** Where magic links lead. Opening the page uses nothing up, because mail scanners open links: the button signs in. */
const linkPage = hostedPage({ path: '/auth/{environmentId}/link', methods: ['GET', 'POST'] }, async (on) => {
  const { page, visit, services, result } = on;
  const flow = flowIn(page, visit);
  if (result.problem) return problemView(visit, visit.texts.link.title, result.problem);
  const token = page.query.get('token') ?? '';
  const redirectTo = await redirectOf(services, visit, token);
  if (page.method === 'GET') return linkView(visit, redirectTo, { repeatKey: newRepeatKey(), ...flow });
  const tried = await attempt(visit, () => completeOnce({ page, visit, flow }, complete, { token }));
  if ('problem' in tried) return redirectWithResult(on, pathOf(page), { problem: linkProblem(visit, tried.problem) });
  return finish({ page, visit, services, flow: flowAfter(visit, flow, redirectTo) }, tried.done);
});

export default linkPage;

/** A link may be opened in another browser than the one that asked for it. */
function flowAfter(visit: Visit, { repeatKey, ...before }: Flow, redirectTo: string | null): Flow {
  const next = ownPage(visit, before.next ?? null);
  return {
    ...(repeatKey === undefined ? {} : { repeatKey }),
    ...(redirectTo === null ? {} : { redirectTo }),
    ...(next === undefined ? {} : { next }),
  };
}

/** Where the sign-in of a link returns to: the button's form must be allowed to lead there. */
async function redirectOf({ database }: Services, { environment }: Visit, token: string): Promise<string | null> {
  const id = challengeIdIn(token);
  if (id === undefined) return null;
  const row = await database.findOne(challenges, { id, environmentId: environment.id, purpose: 'signin_link' });
  return row?.redirectTo ?? null;
}

function linkView(visit: Visit, redirectTo: string | null, flow: Flow): PageAnswer {
  const { link: texts } = visit.texts;
  return view(visit, {
    title: brandedText(visit, texts.heading),
    ...(redirectTo === null ? {} : { formTargets: [redirectTo] }),
    cookies: [flowCookie(visit, flow)],
    body: html`<div class="card">
      <h1>${branded(visit, texts.heading)}</h1>
      <p>${texts.lead}</p>
      <form method="post"><div class="stack">${button('complete', texts.button)}</div></form>
    </div>`,
  });
}
