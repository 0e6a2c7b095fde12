import type { PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { html } from '#core/surfaces/pages/html.js';
import { fill } from '#core/surfaces/pages/texts.js';
import { areBindings, maxStateLength } from '../../challenges/return-target.js';
import { longestReturn, noFlow, type Flow } from '../flow.js';
import { mayLeadTo } from '../handoff.js';
import { view } from '../parts.js';
import type { Visit } from '../visit.js';

/** Why a sign-in that an app requested cannot start or continue. */
type ReturnProblem = 'not_allowed' | 'unusable';

/**
 * Checks where a sign-in returns to, and what binds it to the app. The checks are the same as in auth.signin.start,
 * except for the length of the address. They run before anything is shown, because the address becomes part of the
 * page's policy.
 */
export async function returnProblem(
  { query }: PageRequest,
  visit: Visit,
  services: Services,
  { redirectTo, state, codeChallenge }: Flow,
): Promise<ReturnProblem | null> {
  if (query.getAll('redirectTo').length > 1) return 'not_allowed'; // It is not known which one is meant.
  if (redirectTo === undefined) return null;
  // A sign-in that the app started with auth.signin.start may have a longer address.
  const isTooLong = query.has('redirectTo') && redirectTo.length > longestReturn;
  if (isTooLong || !areBindings(state ?? null, codeChallenge ?? null)) return 'unusable';
  return (await mayLeadTo(services, visit, redirectTo)) ? null : 'not_allowed';
}

/** States that the app requested something that is not possible, and what its developer can do. */
export function refusedReturnView(visit: Visit, flow: Flow, problem: ReturnProblem): PageAnswer {
  const { returnAddress: texts, errors } = visit.texts;
  const parameter = html`<code>redirectTo</code>`;
  const forDevelopers =
    problem === 'not_allowed'
      ? fill(texts.developer, {
          field: html`<code>redirectUrls</code>`,
          operation: html`<code>auth.settings.set</code>`,
          parameter,
        })
      : fill(texts.developerValues, {
          parameter,
          longest: String(longestReturn),
          state: html`<code>state</code>`,
          characters: String(maxStateLength),
          challenge: html`<code>codeChallenge</code>`,
        });
  return view(visit, {
    title: texts.heading,
    status: 400,
    cookies: [noFlow(visit, flow)],
    body: html`<div class="card">
      <h1>${texts.heading}</h1>
      <p>${problem === 'not_allowed' ? errors.redirect_not_allowed : texts.unusable}</p>
      <p class="muted">${forDevelopers}</p>
    </div>`,
  });
}
