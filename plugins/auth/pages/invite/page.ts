import type { ReplyOf } from '#core/kernel/operation.js';
import type { Page, PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { fill, fillText, formatDateTime } from '#core/surfaces/pages/texts.js';
import accept from '../../operations/org/invite/accept.js';
import describe from '../../operations/org/invite/describe.js';
import { alert, button, view } from '../parts.js';
import { pageSession } from '../session.js';
import { attempt, visitOf, type PageProblem, type Visit } from '../visit.js';

type Invitation = ReplyOf<typeof describe>;

/** An invitation to an organization. Whoever is not signed in does so first and comes back. */
const orgInvitePage: Page = {
  path: '/auth/{environmentId}/invite',
  methods: ['GET', 'POST'],
  async answer(page, services) {
    const visit = await visitOf(page, services);
    const token = page.query.get('token') ?? '';
    const described = await attempt(visit, () => page.call(describe, { token }, visit.options));
    if ('problem' in described) return problemView(visit, described.problem);
    const session = await pageSession(page, visit, services);
    const cookies = session?.cookies ?? [];
    if (page.method === 'GET') return { ...inviteView(visit, described.done, session !== null), cookies };
    if (!session)
      return seeOther(
        `${visit.root}/signin?${new URLSearchParams({ next: `${page.path}?${page.query.toString()}` }).toString()}`,
      );
    const { accessToken } = session;
    const tried = await attempt(visit, () => page.call(accept, { accessToken, token }, visit.options));
    if ('problem' in tried) {
      // The session has ended: sign in, then accept.
      const isSignedIn = tried.problem.code !== 'token_invalid';
      return { ...inviteView(visit, described.done, isSignedIn, isSignedIn ? tried.problem : undefined), cookies };
    }
    return seeOther(`${visit.root}/account?done=joined`, cookies);
  },
};

export default orgInvitePage;

function inviteView(visit: Visit, invitation: Invitation, isSignedIn: boolean, problem?: PageProblem): PageAnswer {
  const { invite: texts, roles } = visit.texts;
  const { organizationName, email, role, expiresAt } = invitation;
  const organization = html`<bdi>${organizationName}</bdi>`;
  return view(visit, {
    title: fillText(texts.heading, { organization: organizationName }),
    status: problem?.status ?? 200,
    body: html`<div class="card">
      ${alert(problem)}
      <h1>${fill(texts.heading, { organization })}</h1>
      <p>${fill(texts.lead, { email: html`<strong><bdi>${email}</bdi></strong>` })}</p>
      <dl class="facts">
        <div>
          <dt>${texts.role}</dt>
          <dd>${roles[role]}</dd>
        </div>
        <div>
          <dt>${texts.until}</dt>
          <dd><time datetime=${expiresAt}>${formatDateTime(visit.lang, new Date(expiresAt))}</time></dd>
        </div>
      </dl>
      <form method="post">
        <div class="stack">
          ${button('accept', isSignedIn ? fillText(texts.accept, { organization: organizationName }) : texts.signIn)}
        </div>
      </form>
    </div>`,
  });
}

const problemView = (visit: Visit, problem: PageProblem): PageAnswer =>
  view(visit, {
    title: visit.texts.invite.title,
    status: problem.status,
    body: html`<div class="card">
      <h1>${visit.texts.invite.title}</h1>
      ${alert(problem)}
      <p><a href="signin">${visit.texts.common.signIn}</a></p>
    </div>`,
  });
