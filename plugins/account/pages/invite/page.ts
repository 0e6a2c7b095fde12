import type { SvcError } from '#core/kernel/errors/errors.js';
import type { ReplyOf } from '#core/kernel/operation.js';
import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { asRefusal } from '#core/surfaces/http/refusals.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { fill, fillText, momentIn, wordsFor } from '#core/surfaces/pages/words.js';
import describe from '../../operations/invite/describe.js';
import { inviteWords } from './catalogue.js';
import type { Trouble } from './words.js';

type Invitation = ReplyOf<typeof describe>;

/** What an invitation is for. Looking at it does not use it; accepting it is the dashboard session's to do. */
const invitePage: Page = {
  path: '/invite',
  methods: ['GET'],
  async answer(page, services) {
    try {
      return invitationPage(page, await page.call(describe, { token: page.query.get('token') ?? '' }), services);
    } catch (error) {
      return troublePage(page, asRefusal(error, page.request.requestId, services.log));
    }
  },
};

export default invitePage;

function invitationPage({ languages }: PageRequest, invitation: Invitation, { catalogue }: Services): PageAnswer {
  const { lang, words } = wordsFor(inviteWords, languages);
  const { accountName, email, role, invitedBy, expiresAt } = invitation;
  // bdi: a name written from right to left must not turn the sentence around it.
  const strong = (text: string): Markup => html`<strong><bdi>${text}</bdi></strong>`;
  const lead = invitedBy === null ? words.leadWithoutPerson : fill(words.lead, { person: strong(invitedBy) });
  // Accepting is the auth product's to bring; without it there is no button that leads nowhere.
  const next = catalogue.operations.has('account.member.accept')
    ? fill(words.next.signIn, { email: strong(email) })
    : words.next.ask;
  return renderPage({
    title: fillText(words.title, { account: accountName }),
    lang,
    theme: defaultPageTheme,
    body: html`
      <div class="card">
        <h1>${fill(words.heading, { account: html`<bdi>${accountName}</bdi>` })}</h1>
        <p class="lead">${lead}</p>
        <dl class="facts">
          <div>
            <dt>${words.address}</dt>
            <dd><bdi>${email}</bdi></dd>
          </div>
          <div>
            <dt>${words.role}</dt>
            <dd><strong>${words.roles[role].name}</strong><br />${words.roles[role].may}</dd>
          </div>
          <div>
            <dt>${words.until}</dt>
            <dd><time datetime=${expiresAt}>${momentIn(lang, new Date(expiresAt))}</time></dd>
          </div>
        </dl>
        <section class="note" aria-labelledby="next">
          <h2 id="next">${words.next.heading}</h2>
          <p>${next}</p>
        </section>
      </div>
    `,
  });
}

const troubles: Readonly<Record<string, { trouble: Trouble; status: number }>> = {
  not_found: { trouble: 'unknown', status: 404 },
  // A malformed token reads like an unknown one: people see a link, not its grammar.
  invalid_input: { trouble: 'unknown', status: 404 },
  invite_expired: { trouble: 'expired', status: 410 },
  invite_revoked: { trouble: 'revoked', status: 410 },
  invite_accepted: { trouble: 'accepted', status: 409 },
  rate_limited: { trouble: 'limited', status: 429 },
};

function troublePage({ languages, request }: PageRequest, refusal: SvcError): PageAnswer {
  const { lang, words } = wordsFor(inviteWords, languages);
  const { trouble, status } = troubles[refusal.code] ?? { trouble: 'failed' as const, status: refusal.status };
  const { heading, said, next } = words.troubles[trouble];
  return renderPage({
    title: heading,
    lang,
    theme: defaultPageTheme,
    status,
    body: html`
      <div class="card">
        <h1>${heading}</h1>
        <p class="lead">${said}</p>
        <p>${fill(next, { requestId: html`<code>${request.requestId}</code>` })}</p>
      </div>
    `,
  });
}
