import type { SvcError } from '#core/kernel/errors/errors.js';
import type { ReplyOf } from '#core/kernel/operation.js';
import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { asRefusal } from '#core/surfaces/http/refusals.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { fill, fillText, formatDateTime, textsFor } from '#core/surfaces/pages/texts.js';
import describe from '../../operations/invite/describe.js';
import { inviteTexts } from './translations.js';
import type { Problem } from './texts.js';

type Invitation = ReplyOf<typeof describe>;

/** Shows an invitation. Opening the page does not accept it: that is done from a dashboard session. */
const invitePage: Page = {
  path: '/invite',
  methods: ['GET'],
  async answer(page, services) {
    try {
      return invitationPage(page, await page.call(describe, { token: page.query.get('token') ?? '' }), services);
    } catch (error) {
      return problemPage(page, asRefusal(error, page.request.requestId, services.log));
    }
  },
};

export default invitePage;

function invitationPage({ languages }: PageRequest, invitation: Invitation, { catalogue }: Services): PageAnswer {
  const { lang, texts } = textsFor(inviteTexts, languages);
  const { accountName, email, role, invitedBy, expiresAt } = invitation;
  // bdi: a right-to-left name must not change the order of the sentence around it.
  const strong = (text: string): Markup => html`<strong><bdi>${text}</bdi></strong>`;
  const lead = invitedBy === null ? texts.leadWithoutInviter : fill(texts.lead, { inviter: strong(invitedBy) });
  // Accepting needs the auth product. Without it, the page says so.
  const next = catalogue.operations.has('account.member.accept')
    ? fill(texts.next.signIn, { email: strong(email) })
    : texts.next.unavailable;
  return renderPage({
    title: fillText(texts.title, { account: accountName }),
    lang,
    theme: defaultPageTheme,
    body: html`
      <div class="card">
        <h1>${fill(texts.heading, { account: html`<bdi>${accountName}</bdi>` })}</h1>
        <p class="lead">${lead}</p>
        <dl class="facts">
          <div>
            <dt>${texts.address}</dt>
            <dd><bdi>${email}</bdi></dd>
          </div>
          <div>
            <dt>${texts.role}</dt>
            <dd><strong>${texts.roles[role].name}</strong><br />${texts.roles[role].description}</dd>
          </div>
          <div>
            <dt>${texts.validUntil}</dt>
            <dd><time datetime=${expiresAt}>${formatDateTime(lang, new Date(expiresAt))}</time></dd>
          </div>
        </dl>
        <section class="note" aria-labelledby="next">
          <h2 id="next">${texts.next.heading}</h2>
          <p>${next}</p>
        </section>
      </div>
    `,
  });
}

const problems: Readonly<Record<string, { problem: Problem; status: number }>> = {
  not_found: { problem: 'unknown', status: 404 },
  // A malformed token reads like an unknown one: people follow a link and do not know its format.
  invalid_input: { problem: 'unknown', status: 404 },
  invite_expired: { problem: 'expired', status: 410 },
  invite_revoked: { problem: 'revoked', status: 410 },
  invite_accepted: { problem: 'accepted', status: 409 },
  rate_limited: { problem: 'limited', status: 429 },
};

function problemPage({ languages, request }: PageRequest, refusal: SvcError): PageAnswer {
  const { lang, texts } = textsFor(inviteTexts, languages);
  const { problem, status } = problems[refusal.code] ?? { problem: 'failed' as const, status: refusal.status };
  const { heading, explanation, next } = texts.problems[problem];
  return renderPage({
    title: heading,
    lang,
    theme: defaultPageTheme,
    status,
    body: html`
      <div class="card">
        <h1>${heading}</h1>
        <p class="lead">${explanation}</p>
        <p>${fill(next, { requestId: html`<code>${request.requestId}</code>` })}</p>
      </div>
    `,
  });
}
