import type { PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { html } from '#core/surfaces/pages/html.js';
import { fill } from '#core/surfaces/pages/texts.js';
import { noFlow, type Flow } from '../flow.js';
import { mayLeadTo } from '../hand-over.js';
import { view } from '../parts.js';
import type { Visit } from '../visit.js';

/**
 * Whether a sign-in may begin or go on: its return address passes the same check as in auth.signin.start. Checked before anything is
 * shown, because the address becomes a part of the page's policy.
 */
export async function mayReturn(
  { query }: PageRequest,
  visit: Visit,
  services: Services,
  { redirectTo }: Flow,
): Promise<boolean> {
  if (query.getAll('redirectTo').length > 1) return false; // which one is meant is not known
  return redirectTo === undefined || mayLeadTo(services, visit, redirectTo);
}

/** Says that the app asked for a return address that is not allowed, and what its developer can do. */
export function refusedReturnView(visit: Visit): PageAnswer {
  const { returnAddress: texts, errors } = visit.texts;
  return view(visit, {
    title: texts.heading,
    status: 400,
    cookies: [noFlow(visit)],
    body: html`<div class="card">
      <h1>${texts.heading}</h1>
      <p>${errors.redirect_not_allowed}</p>
      <p class="muted">
        ${fill(texts.developer, {
          field: html`<code>redirectUrls</code>`,
          operation: html`<code>auth.settings.set</code>`,
          parameter: html`<code>redirectTo</code>`,
        })}
      </p>
    </div>`,
  });
}
