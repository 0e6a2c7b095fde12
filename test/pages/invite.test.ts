import { expect } from 'chai';
import { refusalOf } from '#core/kernel/errors/common.js';
import invitePage from '#plugins/account/pages/page.js';
import type { MemberRow } from '#plugins/account/tables/member.js';
import { languages, textTag } from '#core/kernel/language.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { inviteTexts } from '#plugins/account/members/invite-texts/translations.js';
import { members } from '#plugins/account/tables/member.js';
import { addMember } from '#test/account/support.js';
import { days, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { pageRequest } from './support.js';

const newToken = (): string => `svc_iv_${randomToken(43)}`;

interface Seen {
  status: number;
  headers: Headers;
  body: string;
}

describe('the invitation page', () => {
  const platform = usePlatform();
  // Every visit counts against the rate limit per IP address.
  beforeEach(() => platform.clock.advance(minutes(11)));

  const visit = async (query: string, language = 'en'): Promise<Seen> => {
    const { status, headers, ...answer } = await fetch(`${platform.running.address}/invite${query}`, {
      headers: { 'Accept-Language': language },
    }).then(async (found) => ({ status: found.status, headers: found.headers, body: await found.text() }));
    return { status, headers, ...answer };
  };
  const open = async (
    facts: Partial<Pick<MemberRow, 'email' | 'status' | 'acceptedAt' | 'permissions'>> = {},
    account = platform.account(),
  ): Promise<string> => {
    const token = newToken();
    await addMember(platform, await account, {
      role: 'developer',
      status: 'invited',
      email: `ada-${token.slice(-6)}@example.com`,
      ...facts,
      token,
    });
    return token;
  };

  it('shows the inviter, the account, the invited address, the role and the expiry', async () => {
    const token = await open({ email: 'ada@example.com' });
    const { status, headers, body } = await visit(`?token=${token}`);
    expect(status).to.equal(200);
    expect(body).to.contain('<h1>You’re invited to join <bdi>Acme</bdi></h1>');
    expect(body)
      .to.contain('<bdi>owner@example.com</bdi></strong> has invited you')
      .and.contain('<bdi>ada@example.com</bdi>');
    expect(body).to.contain('<strong>Developer</strong>').and.contain(inviteTexts.en.roles.developer.description);
    const until = new Date(platform.clock.now().getTime() + days(7));
    expect(body)
      .to.contain(`<time datetime="${until.toISOString()}">`)
      .and.match(/ UTC<\/time>/);
    expect(headers.get('content-security-policy')).to.match(/^default-src 'none'; style-src 'nonce-[^']+'; /);
    expect(headers.get('cache-control')).to.equal('no-store');
    // With no-referrer, browsers would send no origin with the page's own form.
    expect(headers.get('referrer-policy')).to.equal('same-origin');
  });

  it('says which areas the membership has, if it has only a part of the role', async () => {
    const token = await open({ permissions: ['email:read', 'email:write', 'sms:write', 'account:read'] });
    const { body } = await visit(`?token=${token}`);
    expect(body)
      .to.contain('You can change: email, SMS. You can see: account.')
      .and.not.contain(inviteTexts.en.roles.developer.description);
    expect((await visit(`?token=${token}`, 'de')).body).to.contain('Sie können ändern: E-Mail, SMS.');
  });

  // Where codes cannot be sent, the page links to the sign-in page, which leads back to the invitation.
  itNeeding('email')('loads no external resources, and does not contain the token', async () => {
    const token = await open();
    const { body } = await visit(`?token=${token}`);
    expect(body).to.not.contain(token);
    expect(body).to.not.match(/(?:src|href|action)="(?!data:,)|@import|url\(|https?:\/\//);
    expect(body.match(/<script/g), 'the script of the page').to.have.length(1);
    expect(body).to.match(/<script type="module" nonce="[^"]+">/);
  });

  it('escapes names', async () => {
    const account = platform.account();
    const { svc } = await account;
    await svc.call('account.update', { name: '<script>alert(1)</script>' });
    const { body } = await visit(`?token=${await open({}, account)}`);
    expect(body)
      .to.contain('<bdi>&lt;script>alert(1)&lt;/script></bdi>')
      .and.contain('<title>Invitation to &lt;script>');
    expect(body.match(/<script/g), 'the script of the page').to.have.length(1);
  });

  it('uses the reader’s language', async () => {
    const token = await open();
    for (const lang of languages) {
      const { body, headers } = await visit(`?token=${token}`, `xx, ${lang}-ZZ;q=0.9, en;q=0.1`);
      expect(body)
        .to.contain(`<html lang="${textTag(lang)}">`)
        .and.contain(inviteTexts[lang].validUntil)
        .and.not.match(/\{\w+\}/);
      expect(headers.get('content-language')).to.equal(textTag(lang));
    }
  });

  it('explains why an invitation can no longer be accepted, and what to do', async () => {
    const { problems } = inviteTexts.de;
    const accepted = await open({ status: 'active', acceptedAt: platform.clock.now() });
    const revoked = await open({ status: 'removed' });
    const expired = await open();
    await platform.running.services.database.update(
      members,
      { role: 'developer' },
      { inviteExpiresAt: platform.clock.now() },
    );
    for (const [token, status, problem] of [
      [accepted, 409, problems.accepted],
      [revoked, 410, problems.revoked],
      [expired, 410, problems.expired],
      [newToken(), 404, problems.unknown],
      ['', 404, problems.unknown],
      ['svc_iv_%00%3Cscript%3E', 404, problems.unknown],
    ] as const) {
      const seen = await visit(`?token=${token}`, 'de');
      expect(seen.status, problem.heading).to.equal(status);
      expect(seen.body).to.contain(`<h1>${problem.heading}</h1>`).and.contain(problem.next).and.not.contain('Acme');
    }
    expect((await visit('')).status).to.equal(404);
  });

  it('is subject to the rate limit of its operation', async () => {
    const token = newToken();
    const statuses: number[] = [];
    for (let visits = 0; visits < 21; visits += 1) statuses.push((await visit(`?token=${token}`)).status);
    expect(statuses).to.deep.equal([...Array.from({ length: 20 }, () => 404), 429]);
    expect((await platform.api.refusal('account.invite.describe', { token })).code).to.equal('rate_limited');
    expect((await visit(`?token=${token}`)).body).to.contain(inviteTexts.en.problems.limited.heading);
  });

  it('shows an error page with the request id when the server fails', async () => {
    const { services } = platform.running;
    for (const [error, status] of [
      [new Error('a secret detail'), 500],
      [refusalOf.unavailable({ problem: 'a secret detail' }), 503],
    ] as const) {
      const call = (): Promise<never> => Promise.reject(error);
      const answer = await invitePage.answer(pageRequest({ path: '/invite', languages: ['fr'], call }), services);
      expect(answer.status).to.equal(status);
      expect(answer.body)
        .to.contain('<code>the-request-id</code>')
        .and.contain(inviteTexts.fr.problems.failed.heading)
        .and.not.contain('secret');
    }
  });
});

describe('the invitation page of a deployment whose auth is off', () => {
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'account,developers,email' }) });

  it('says that invitations cannot be accepted, and shows no button', async () => {
    const token = newToken();
    await addMember(platform, await platform.account(), { role: 'developer', status: 'invited', token });
    const answer = await fetch(`${platform.running.address}/invite?token=${token}`);
    expect(await answer.text())
      .to.contain(inviteTexts.en.next.unavailable)
      .and.not.match(/<(?:button|form|a)\b/);
  });
});
