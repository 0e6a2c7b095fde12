import type { PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { html } from '#core/surfaces/pages/html.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { view } from '../parts.js';
import { pageSession } from '../session.js';
import type { Visit } from '../visit.js';

/**
 * Answers a later step of a sign-in that is not in progress, for example after using the browser's Back button after
 * signing in. Signed-in people are sent to the account page, and others start again.
 */
export async function endedSignIn(page: PageRequest, visit: Visit, services: Services): Promise<PageAnswer> {
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
