import type { ReplyOf } from '#core/kernel/operation.js';
import type { PageAnswer } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { html } from '#core/surfaces/pages/html.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { fill, fillText, formatDateTime } from '#core/surfaces/pages/texts.js';
import accept from '../../operations/org/invite/accept.js';
import describe from '../../operations/org/invite/describe.js';
import { findInvite } from '../../organizations/invitation.js';
import { pathOf, redirectWithResult } from '../form-result.js';
import { hostedPage, type HostedVisit } from '../hosted-page.js';
import { handOver, isHostedPage, mayLeadTo } from '../hand-over.js';
import { alert, button, view } from '../parts.js';
import { problemView } from '../problem-view.js';
import { noSession, pageSession } from '../session.js';
import { signInPath, toSecondFactor, toSignIn } from '../signed-in.js';
import { attempt, type PageProblem, type Visit } from '../visit.js';

type Invitation = ReplyOf<typeof describe>;

/** An invitation to an organization. Whoever is not signed in does so first and comes back. */
const orgInvitePage = hostedPage({ path: '/auth/{environmentId}/invite', methods: ['GET', 'POST'] }, async (on) => {
  const { page, visit, services, result } = on;
  const token = page.query.get('token') ?? '';
  if (page.method === 'POST') return answerForm(on, token);
  const described = await attempt(visit, () => page.call(describe, { token }, visit.options));
  if ('problem' in described) return problemView(visit, visit.texts.invite.title, described.problem);
  const session = await pageSession(page, visit, services);
  const returnTo = await returnOf(services, visit, token);
  const { problem } = result;
  const otherAddress = problem?.code === 'invite_wrong_account' ? signInPath(page, visit) : undefined;
  const shown = { invitation: described.done, returnTo, isSignedIn: session !== null, problem, otherAddress };
  return { ...inviteView(visit, shown), cookies: session?.cookies ?? [] };
});

export default orgInvitePage;

async function answerForm(on: HostedVisit, token: string): Promise<PageAnswer> {
  const { page, visit, services } = on;
  const session = await pageSession(page, visit, services);
  if (!session) return toSignIn(page, visit);
  const { accessToken, cookies } = session;
  const tried = await attempt(visit, () => page.call(accept, { accessToken, token }, visit.options));
  if ('problem' in tried) {
    const { problem } = tried;
    // The session has ended: sign in, then accept.
    if (problem.code === 'token_invalid') return { ...toSignIn(page, visit), cookies: noSession(visit) };
    if (problem.code === 'mfa_required')
      return (await toSecondFactor({ page, visit, accessToken })) ?? seeOther(`${visit.root}/account`, cookies);
    return redirectWithResult(on, pathOf(page), { problem }, cookies);
  }
  const returnTo = await returnOf(services, visit, token);
  if (returnTo !== null && isHostedPage(services, visit, returnTo)) return seeOther(returnTo, cookies);
  const operation = accept.name;
  const back = returnTo && (await handOver(services, visit, { accessToken, address: returnTo, operation }));
  if (back) return seeOther(back, noSession(visit));
  return redirectWithResult(on, `${visit.root}/account`, { done: 'joined' }, cookies);
}

/** Where the app wants the person after accepting; null where it named no address, or one that is no longer allowed. */
async function returnOf(services: Services, visit: Visit, token: string): Promise<string | null> {
  const redirectTo = (await findInvite(services.database, visit.environment.id, token))?.redirectTo ?? null;
  return redirectTo !== null && (await mayLeadTo(services, visit, redirectTo)) ? redirectTo : null;
}

interface Shown {
  readonly invitation: Invitation;
  readonly returnTo: string | null;
  readonly isSignedIn: boolean;
  readonly problem?: PageProblem | undefined;
  /** Where to sign in with another address. */
  readonly otherAddress?: string | undefined;
}

function inviteView(visit: Visit, { invitation, returnTo, isSignedIn, problem, otherAddress }: Shown): PageAnswer {
  const { invite: texts, roles } = visit.texts;
  const { organizationName, email, role, expiresAt } = invitation;
  const organization = html`<bdi>${organizationName}</bdi>`;
  return view(visit, {
    title: fillText(texts.heading, { organization: organizationName }),
    status: problem?.status ?? 200,
    ...(returnTo === null ? {} : { formTargets: [returnTo] }),
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
      ${otherAddress !== undefined && html`<div class="foot-links"><a href=${otherAddress}>${visit.texts.code.other}</a></div>`}
    </div>`,
  });
}
