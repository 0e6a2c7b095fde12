import type { PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { alert, view } from './parts.js';
import type { PageProblem } from './problem.js';
import type { Visit } from './visit.js';

/** A page that cannot continue: states the reason, and links to the sign-in page. */
export const problemView = (visit: Visit, title: string, problem: PageProblem): PageAnswer =>
  view(visit, {
    title,
    status: problem.status,
    body: html`<div class="card">
      <h1>${title}</h1>
      ${alert(problem)}
      <p><a class="button" href=${`${visit.root}/signin`}>${visit.texts.common.signIn}</a></p>
    </div>`,
  });
