import type { ReplyOf } from '#core/kernel/operation.js';
import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { html } from '#core/surfaces/pages/html.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { fill, fillText, formatDateTime } from '#core/surfaces/pages/texts.js';
import meGet from '../../operations/me/get.js';
import accept from '../../operations/org/invite/accept.js';
import describe from '../../operations/org/invite/describe.js';
import { findInvite } from '../../organizations/invitation.js';
import { findMember } from '../../organizations/membership.js';
import type { OrgInviteRow } from '../../tables/org-invite.js';
import { organizations } from '../../tables/organization.js';
import { findUser } from '../../users/find.js';
import { toSetUp } from '../account/destination.js';
import { pathOf, redirectWithResult } from '../form-result.js';
import { hostedPage, type HostedVisit } from '../hosted-page.js';
import { endedInvitationView } from './ended.js';
import { handOff, isHostedPage, mayLeadTo } from '../handoff.js';
import { leaveTo } from '../leave.js';
import { alert, button, fact, problemView, view } from '../parts.js';
import { attempt, linkProblem, type PageProblem } from '../problem.js';
import { labelOfUser, signedInAs, type NamedUser } from '../user-label.js';
import { noSession, signedOut, withSession } from '../session.js';
import { signInPath, toSecondFactor, toSignIn } from '../signed-in.js';
import type { Visit } from '../visit.js';

type Invitation = ReplyOf<typeof describe>;

/** An invitation to an organization. A person who is not signed in signs in first and returns. */
const orgInvitePage = hostedPage({ path: '/auth/{environmentId}/invite', methods: ['GET', 'POST'] }, async (on) => {
  const { page, visit, services } = on;
  const token = page.query.get('token') ?? '';
  if (page.method === 'POST') return answerForm(on, token);
  const described = await attempt(visit, () => page.call(describe, { token }, visit.options));
  const { user, cookies } = await whoIsIn(on);
  const invite = await findInvite({ db: services.database, vault: services.vault }, visit.environment.id, token);
  if ('problem' in described) return { ...(await endedView(on, described.problem, { invite, user })), cookies };
  const invitedBy = invite && (await findUser(services.database, visit.environment.id, invite.invitedBy));
  const shown = { on, invitation: described.done, user, invitedBy };
  return { ...inviteView(shown), cookies };
});

export default orgInvitePage;

async function answerForm(on: HostedVisit, token: string): Promise<PageAnswer> {
  const { page, visit, services } = on;
  const found = await withSession(page, visit, services, (session) =>
    attempt(visit, () => page.call(accept, { accessToken: session.accessToken, token }, visit.options), [
      'token_invalid',
    ]),
  );
  // The session may have ended: sign in, then accept.
  if ('ended' in found) return { ...toSignIn(page, visit), cookies: found.ended };
  const { accessToken, cookies } = found.session;
  const tried = found.done;
  if ('problem' in tried) {
    const { problem } = tried;
    if (problem.code === 'mfa_required')
      return (await toSecondFactor({ page, visit, accessToken })) ?? toSetUp({ ...on, accessToken }, cookies);
    return redirectWithResult(on, pathOf(page), { problem }, cookies);
  }
  const returnTo = await returnOf(
    services,
    visit,
    await findInvite({ db: services.database, vault: services.vault }, visit.environment.id, token),
  );
  if (returnTo !== null && isHostedPage(services, visit, returnTo)) return seeOther(returnTo, cookies);
  const operation = accept.name;
  const back = returnTo && (await handOff(services, visit, { page, accessToken, address: returnTo, operation }));
  if (back) return leaveTo(on, back, noSession(visit));
  return redirectWithResult(on, `${visit.root}/account`, { done: 'joined' }, cookies);
}

/** The signed-in user, and the session's cookies. A session that has ended is removed. */
async function whoIsIn({
  page,
  visit,
  services,
}: HostedVisit): Promise<{ user: NamedUser | null; cookies: readonly PageCookie[] }> {
  const found = await withSession(page, visit, services, ({ accessToken }) =>
    attempt(visit, () => page.call(meGet, { accessToken }, visit.options), signedOut),
  );
  if ('ended' in found) return { user: null, cookies: found.ended };
  return { user: 'done' in found.done ? found.done.done.user : null, cookies: found.session.cookies };
}

async function endedView(
  { visit, services }: HostedVisit,
  problem: PageProblem,
  { invite, user }: { invite: OrgInviteRow | null; user: NamedUser | null },
): Promise<PageAnswer> {
  const joined = invite && user && (await joinedBy(services, invite, user));
  const said = invite && endedInvitationView(visit, problem, { invite, joined, isSignedIn: user !== null });
  return said ?? problemView(visit, visit.texts.invite.title, linkProblem(visit, problem));
}

/** The name of the organization, if the user accepted the invitation and is still a member. */
async function joinedBy(
  { database }: Services,
  { acceptedBy, organizationId }: OrgInviteRow,
  { id }: NamedUser,
): Promise<string | null> {
  if (acceptedBy !== id || !(await findMember(database, organizationId, id))) return null;
  return (await database.findOne(organizations, { id: organizationId }))?.name ?? null;
}

/**
 * The address to which the app wants the person to return after accepting; null if it gave no address, or one that is
 * no longer allowed.
 */
async function returnOf(services: Services, visit: Visit, invite: OrgInviteRow | null): Promise<string | null> {
  const redirectTo = invite?.redirectTo ?? null;
  return redirectTo !== null && (await mayLeadTo(services, visit, redirectTo)) ? redirectTo : null;
}

interface Shown {
  readonly on: HostedVisit;
  readonly invitation: Invitation;
  /** The signed-in user. */
  readonly user: NamedUser | null;
  /** Null if the inviter no longer exists. */
  readonly invitedBy: NamedUser | null;
}

function inviteView({ on, invitation, user, invitedBy }: Shown): PageAnswer {
  const { page, visit, result } = on;
  const { problem } = result;
  const { invite: texts, roles, common } = visit.texts;
  const { organizationName, email, role, expiresAt } = invitation;
  const organization = html`<bdi>${organizationName}</bdi>`;
  return view(visit, {
    title: fillText(texts.heading, { organization: organizationName }),
    status: problem?.status ?? 200,
    body: html`<div class="card">
      ${alert(problem)}
      <h1>${fill(texts.heading, { organization })}</h1>
      <p>${fill(texts.lead, { email: html`<strong><bdi>${email}</bdi></strong>` })}</p>
      ${user && html`<p class="muted">${signedInAs(visit, user)}</p>`}
      <dl class="facts">
        ${invitedBy && fact(texts.invitedBy, html`<bdi>${invitedBy.name ?? labelOfUser(invitedBy)}</bdi>`)}
        ${fact(texts.role, roles[role])}
        ${fact(texts.until, html`<time datetime=${expiresAt}>${formatDateTime(visit.formatTag, new Date(expiresAt))}</time>`)}
      </dl>
      <form method="post">
        <div class="stack">
          ${button('accept', user ? fillText(texts.accept, { organization: organizationName }) : texts.signIn)}
        </div>
      </form>
      ${user && html`<div class="foot-links"><a href=${signInPath(page, visit)}>${common.otherAccount}</a></div>`}
    </div>`,
  });
}
