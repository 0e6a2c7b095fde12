import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReplyOf } from '#core/kernel/operation.js';
import type { Page, PageAnswer, PageRequest, PageCallOptions } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { asRefusal } from '#core/surfaces/http/refusals.js';
import { html } from '#core/surfaces/pages/html.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { submitOnce } from '#core/surfaces/pages/submit-once.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { fill, fillText, formatDateTime, textsFor } from '#core/surfaces/pages/texts.js';
import describe from '../operations/invite/describe.js';
import { dashboard } from '../ports.js';
import { accounts } from '../tables/account.js';
import { members } from '../tables/member.js';
import { joinedView, nextSteps, signInSettings } from './done.js';
import { addressAfter, firstStep, isUnderWay, nextStep, type OpenStep, type Visit, waitingCookie } from './flow.js';
import { acceptSection, styles } from './sections.js';
import { inviteTexts } from '../members/invite-texts/translations.js';
import type { InviteTexts, Problem } from '../members/invite-texts/texts.js';
import type { NamedLimit } from '#core/kernel/limits/named-limit.js';

const perInvitation = (memberId: string): NamedLimit => ({
  name: 'account.invite.page',
  max: 60,
  windowSeconds: 600,
  description: '60 visits per invitation in 10 minutes',
  by: () => `member:${memberId}`,
});

/**
 * Counts visits with an invitation's link per invitation, not per IP address: a team joins from one office, and each
 * person loads the page several times. Tokens that belong to no invitation are guesses, which the operations count per
 * IP address.
 */
async function invitationLimits({ database }: Services, token: string): Promise<Pick<PageCallOptions, 'limits'>> {
  const member = await database.findOne(members, { inviteDigest: sha256(token) });
  return member ? { limits: [perInvitation(member.id)] } : {};
}

type Invitation = ReplyOf<typeof describe>;

/**
 * Shows an invitation, signs the invited person in and accepts it. Opening the page changes nothing, because mail
 * scanners follow links.
 */
const invitePage: Page = {
  path: '/invite',
  methods: ['GET', 'POST'],
  async answer(page, services) {
    const token = page.query.get('token') ?? '';
    try {
      // Accepting needs the auth product. Without it, the page says so.
      const environment = await dashboardOf(services);
      const joined = environment && page.method === 'GET' ? await joinedPage(page, environment, services) : null;
      if (joined) return joined;
      const limits = await invitationLimits(services, token);
      const invitation = await page.call(describe, { token }, limits);
      const { lang } = textsFor(inviteTexts, page.languages);
      if (!environment) return invitationPage(page, invitation);
      const { baseUrl } = services.deployment;
      const visit: Visit = { page, limits, environment, token, email: invitation.email, lang, baseUrl };
      if (page.method === 'GET') return invitationPage(page, invitation, await firstStep(visit));
      const step = await nextStep(visit);
      const mfaToken = step.kind === 'second' ? step.mfaToken : undefined;
      return seeOther(addressAfter(step, token), [waitingCookie(token, mfaToken)]);
    } catch (error) {
      // A second click, or the Back button: the first click has already accepted.
      const isAccepted = error instanceof SvcError && error.code === 'invite_accepted';
      if (isAccepted && isUnderWay(page)) return seeOther(addressAfter({ kind: 'done' }, token));
      return problemPage(page, asRefusal(error, page.request.requestId, services.log), services);
    }
  },
};

export default invitePage;

/** What a person sees who has accepted here, no matter how often the page is loaded; null for every other address. */
async function joinedPage(
  { query, languages }: PageRequest,
  { id: environmentId }: Environment,
  { database, deployment }: Services,
): Promise<PageAnswer | null> {
  if (!query.has('joined')) return null;
  const member = await database.findOne(members, { inviteDigest: sha256(query.get('token') ?? ''), status: 'active' });
  const account = member && (await database.findOne(accounts, { id: member.accountId }));
  if (!account) return null;
  const { lang, texts } = textsFor(inviteTexts, languages);
  const joined = { account: html`<bdi>${account.name}</bdi>`, role: member.role, environmentId };
  return renderPage({
    title: texts.accept.doneHeading,
    lang,
    theme: defaultPageTheme,
    styles,
    body: joinedView(joined, texts, deployment),
  });
}

const dashboardOf = ({ read }: Services): Promise<Environment | null> =>
  read('Invitation page', ({ use }) => use(dashboard).environment());

function invitationPage({ languages }: PageRequest, invitation: Invitation, step?: OpenStep): PageAnswer {
  const { lang, formatTag, texts } = textsFor(inviteTexts, languages);
  const { accountName, email, role, permissions, invitedBy, expiresAt } = invitation;
  // bdi: a right-to-left name must not change the order of the sentence around it.
  const account = html`<bdi>${accountName}</bdi>`;
  const lead =
    invitedBy === null
      ? texts.leadWithoutInviter
      : fill(texts.lead, { inviter: html`<strong><bdi>${invitedBy}</bdi></strong>` });
  return renderPage({
    title: fillText(texts.title, { account: accountName }),
    lang,
    theme: defaultPageTheme,
    styles,
    script: submitOnce,
    body: html`
      <div class="card">
        <h1>${fill(texts.heading, { account })}</h1>
        <p class="lead">${lead}</p>
        <dl class="facts">
          <div>
            <dt>${texts.address}</dt>
            <dd><bdi>${email}</bdi></dd>
          </div>
          <div>
            <dt>${texts.role}</dt>
            <dd>
              <strong>${texts.roles[role].name}</strong
              ><br />${permissions ? narrowedTo(permissions, texts) : texts.roles[role].description}
            </dd>
          </div>
          <div>
            <dt>${texts.validUntil}</dt>
            <dd><time datetime=${expiresAt}>${formatDateTime(formatTag, new Date(expiresAt))}</time></dd>
          </div>
        </dl>
        ${
          step
            ? acceptSection(step, texts, email)
            : html`<section class="note" aria-labelledby="next">
                <h2 id="next">${texts.next.heading}</h2>
                <p>${texts.next.unavailable}</p>
              </section>`
        }
      </div>
    `,
  });
}

/** What a member can do who has only these permissions, by area. */
function narrowedTo(permissions: readonly string[], { narrowed }: InviteTexts): string {
  const areasWith = (verb: string): string[] =>
    permissions.filter((each) => each.endsWith(`:${verb}`)).map((each) => each.slice(0, each.indexOf(':')));
  const change = areasWith('write');
  const see = areasWith('read').filter((product) => !change.includes(product));
  const named = (products: readonly string[]): string =>
    products.map((product) => narrowed.areas[product] ?? product).join(', ');
  return [
    ...(change.length > 0 ? [fillText(narrowed.change, { areas: named(change) })] : []),
    ...(see.length > 0 ? [fillText(narrowed.see, { areas: named(see) })] : []),
  ].join(' ');
}

const problems: Readonly<Record<string, { problem: Problem; status: number }>> = {
  not_found: { problem: 'unknown', status: 404 },
  // A malformed token is answered like an unknown one: people follow a link and do not know its format.
  invalid_input: { problem: 'unknown', status: 404 },
  invite_expired: { problem: 'expired', status: 410 },
  invite_revoked: { problem: 'revoked', status: 410 },
  invite_accepted: { problem: 'accepted', status: 409 },
  rate_limited: { problem: 'limited', status: 429 },
  mfa_required: { problem: 'secondStep', status: 403 },
};

async function problemPage(
  { languages, request }: PageRequest,
  refusal: SvcError,
  services: Services,
): Promise<PageAnswer> {
  const { lang, texts } = textsFor(inviteTexts, languages);
  const { problem, status } = problems[refusal.code] ?? { problem: 'failed' as const, status: refusal.status };
  const { heading, explanation, next } = texts.problems[problem];
  const environment = problem === 'accepted' || problem === 'secondStep' ? await dashboardOf(services) : null;
  return renderPage({
    title: heading,
    lang,
    theme: defaultPageTheme,
    styles,
    status,
    body: html`
      <div class="card accept">
        <h1>${heading}</h1>
        <p class="lead">${explanation}</p>
        <p>${fill(next, { requestId: html`<code>${request.requestId}</code>` })}</p>
        ${problem === 'accepted' && environment && nextSteps(environment.id, texts, services.deployment)}
        ${problem === 'secondStep' && environment && signInSettings(environment.id, texts)}
      </div>
    `,
  });
}
