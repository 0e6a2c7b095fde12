import { expect } from 'chai';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { languages } from '#core/kernel/language.js';
import { inviteTexts } from '#plugins/account/members/invite-texts/translations.js';
import { addMember } from '#test/account/support.js';
import { dashboardOf, dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { minutes } from '#test/support/clock.js';

const { accept, problems } = inviteTexts.en;

describe('Accepting on the invitation page', () => {
  const test = useSignInMail();
  const { platform } = test;
  // Every visit counts against the limit per IP address.
  beforeEach(() => platform.clock.advance(minutes(11)));

  const invited = async (
    role: 'owner' | 'developer' = 'developer',
  ): Promise<{ token: string; email: string; memberId: string }> => {
    const token = `svc_iv_${randomToken(43)}`;
    const email = `ada-${randomToken(6).toLowerCase()}@example.com`;
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role, status: 'invited', email, token });
    return { token, email, memberId: id };
  };
  interface Seen {
    status: number;
    location: string | null;
    body: string;
  }
  const visit = async (query: string, form?: Record<string, string>, language = 'en'): Promise<Seen> => {
    const answer = await fetch(`${platform.running.address}/invite${query}`, {
      redirect: 'manual',
      headers: { 'Accept-Language': language, 'Sec-Fetch-Site': 'same-origin' },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    return { status: answer.status, location: answer.headers.get('location'), body: await answer.text() };
  };
  const follow = async (query: string): Promise<Seen> => {
    const answer = await visit(query);
    return answer.location === null ? answer : follow(answer.location);
  };
  /** Submits a form, and opens the address behind it. */
  const submit = async (query: string, form: Record<string, string>): Promise<Seen> => {
    const answer = await visit(query, form);
    return answer.location === null ? answer : follow(answer.location);
  };
  const hidden = (body: string, name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
  /** Has a code sent, and opens the page that asks for it. */
  const started = async (token: string): Promise<{ query: string; body: string; challengeId: string }> => {
    const { status, location } = await visit(`?token=${token}`, { do: 'start' });
    expect(status).to.equal(303);
    const query = location ?? '';
    const { body } = await visit(query);
    return { query, body, challengeId: hidden(body, 'challengeId') };
  };
  const statusOf = async (memberId: string): Promise<number> =>
    platform.count('account_member', `id = UNHEX('${memberId.replaceAll('-', '')}') AND status = 'active'`);

  it('takes the person from the mail into the account by clicking and a code', async () => {
    const account = await platform.account();
    await account.svc.call('account.member.invite', { email: 'new@example.com', role: 'admin' });
    const [invitation] = await test.mailsTo('new@example.com', 1);
    const query = /\/invite(\?token=svc_iv_\w+)/.exec(invitation?.parsed.text ?? '')?.[1] ?? '';
    const opened = await visit(query);
    expect(opened.body).to.contain(accept.sendCode);
    const { query: next, body, challengeId } = await started(query.slice('?token='.length));
    expect(body).to.contain('new@example.com').and.contain(accept.code).and.not.contain(query);
    const code = await test.codeTo('new@example.com', 2);
    const done = await submit(next, { do: 'code', challengeId, code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
    expect([done.status, done.body.includes(accept.doneHeading)]).to.deep.equal([200, true]);
    expect(done.body).to.contain(`svc login --base-url ${platform.running.services.deployment.baseUrl}`);
    const session = withSession(platform, await dashboardSession(platform, 'new@example.com'));
    const { member } = await session.call('developers.key.current', {}, inEnvironment(account.live));
    expect(member).to.include({ role: 'admin', status: 'active' });
  });

  it('shows what a member can do next in the browser, also whoever opens the link of an accepted invitation again', async () => {
    const { token, email } = await invited();
    const { query, challengeId } = await started(token);
    const done = await submit(query, { do: 'code', challengeId, code: await test.codeTo(email) });
    const { id } = await dashboardOf(platform);
    const page = `/auth/${id}/account`;
    for (const language of languages) {
      const again = await visit(`?token=${token}`, undefined, language);
      expect(again.status).to.equal(409);
      const { after } = inviteTexts[language].accept;
      for (const { body } of language === 'en' ? [done, again] : [again])
        expect(body)
          .to.contain(after.heading)
          .and.contain(`href="${page}">${after.signIn}</a>`)
          .and.contain(`<a href="/docs/reference" hreflang="en">${after.reference}</a>`)
          .and.contain('svc login --base-url')
          .and.not.match(/\{\w+\}/);
    }
    const led = await fetch(`${platform.running.address}${page}`, { headers: { 'Accept-Language': 'en' } });
    expect([led.status, new URL(led.url).pathname]).to.deep.equal([200, `/auth/${id}/signin`]);
  });

  it('tells owners alone where mails about invoices go', async () => {
    const shown = async (role: 'owner' | 'developer'): Promise<boolean> => {
      platform.clock.advance(minutes(11));
      const { token, email } = await invited(role);
      const { query, challengeId } = await started(token);
      const { body } = await submit(query, { do: 'code', challengeId, code: await test.codeTo(email) });
      expect(body).to.contain(accept.doneHeading);
      return body.includes(accept.after.invoices);
    };
    expect([await shown('owner'), await shown('developer')]).to.deep.equal([
      platform.running.registry.products.has('billing'),
      false,
    ]);
  });

  it('shows the same when the page behind a form is loaded again: a wrong code counts once, and whoever has joined has joined', async () => {
    const { token, email, memberId } = await invited();
    const { query, challengeId } = await started(token);
    const code = await test.codeTo(email);
    const wrong = await visit(query, { do: 'code', challengeId, code: code === '111111' ? '222222' : '111111' });
    for (let n = 0; n < 6; n += 1)
      expect((await visit(wrong.location ?? '')).body).to.contain(accept.mistakes.wrongCode);
    const early = await visit(`?token=${token}&joined=yes`);
    expect(early.body, 'not accepted yet').to.contain(accept.sendCode).and.not.contain(accept.doneHeading);
    const done = await visit(query, { do: 'code', challengeId, code });
    expect(done.status).to.equal(303);
    for (let n = 0; n < 2; n += 1) {
      const shown = await visit(done.location ?? '');
      expect([shown.status, shown.body.includes(accept.doneHeading)]).to.deep.equal([200, true]);
    }
    expect(await statusOf(memberId)).to.equal(1);
    const unknown = await visit(`?token=svc_iv_${randomToken(43)}&joined=yes`);
    expect(unknown.status).to.equal(404);
  });

  it('shows whoever submits a form again after joining, or goes back, that they have joined', async () => {
    const { token, email } = await invited();
    const { query, challengeId } = await started(token);
    const form = { do: 'code', challengeId, code: await test.codeTo(email) };
    for (const { status, body } of [await submit(query, form), await submit(query, form), await follow(query)])
      expect([status, body.includes(accept.doneHeading)]).to.deep.equal([200, true]);
    expect((await submit(`?token=${token}`, { do: 'start' })).status, 'nobody who has the link alone').to.equal(409);
  });

  it('leaves no session behind', async () => {
    const { token, email } = await invited();
    const { query, challengeId } = await started(token);
    await visit(query, { do: 'code', challengeId, code: await test.codeTo(email) });
    const { id } = await dashboardOf(platform);
    const live = `environment_id = UNHEX('${id.replaceAll('-', '')}') AND ended_at IS NULL AND user_id = (SELECT user_id FROM auth_identity WHERE identity_key = '${email}')`;
    const known = platform.running.registry.operations.has('auth.session.signout');
    expect(await platform.count('auth_session', live)).to.equal(known ? 0 : 1);
  });

  it('changes nothing when it is only opened', async () => {
    const { token, memberId } = await invited();
    for (let n = 0; n < 3; n += 1) await visit(`?token=${token}`);
    expect(await statusOf(memberId)).to.equal(0);
    expect(
      await platform.count('auth_challenge', `created_at >= '${platform.clock.now().toISOString().slice(0, 23)}'`),
    ).to.equal(0);
  });

  it('asks again after a wrong code, and for another code after five', async () => {
    const { token, email, memberId } = await invited();
    const { query, challengeId } = await started(token);
    const code = await test.codeTo(email);
    const wrong = code === '111111' ? '222222' : '111111';
    for (let n = 0; n < 5; n += 1) {
      const again = await submit(query, { do: 'code', challengeId, code: wrong });
      expect(again.body).to.contain(accept.mistakes.wrongCode).and.contain('aria-invalid="true"');
      expect(hidden(again.body, 'challengeId')).to.equal(challengeId);
    }
    const locked = await submit(query, { do: 'code', challengeId, code });
    expect(locked.body).to.contain(accept.mistakes.codeEnded).and.contain(accept.sendCode);
    expect(await statusOf(memberId)).to.equal(0);
  });

  it('takes no code that was sent to another address', async () => {
    const [ours, theirs] = [await invited(), await invited()];
    const other = await started(theirs.token);
    const code = await test.codeTo(theirs.email);
    const answer = await visit(`?token=${ours.token}`, { do: 'code', challengeId: other.challengeId, code });
    expect(answer.status).to.equal(403);
    expect(await statusOf(ours.memberId)).to.equal(0);
  });

  it('refuses a form that another site sends', async () => {
    const { token } = await invited();
    const answer = await fetch(`${platform.running.address}/invite?token=${token}`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'cross-site' },
      body: new URLSearchParams({ do: 'start' }),
    });
    expect(answer.status).to.equal(403);
  });

  it('says what is wrong with an invitation that ended meanwhile', async () => {
    const { token, email } = await invited();
    const { query, challengeId } = await started(token);
    const code = await test.codeTo(email);
    await platform.running.services.database.run("UPDATE account_member SET status = 'removed' WHERE email_key = ?", [
      Buffer.from(email),
    ]);
    const answer = await visit(query, { do: 'code', challengeId, code });
    expect(answer.status).to.equal(410);
    expect(answer.body).to.contain(problems.revoked.heading);
  });

  it('leads a person without a second factor to the page that sets one up if the dashboard requires one', async () => {
    const { token, email, memberId } = await invited();
    const dashboard = await dashboardOf(platform);
    const operator = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost', { mfa: true }));
    await operator.call('auth.settings.set', { mfa: { required: true } }, inEnvironment(dashboard));
    try {
      const { query, challengeId } = await started(token);
      const answer = await visit(query, { do: 'code', challengeId, code: await test.codeTo(email) });
      expect(answer.status).to.equal(403);
      expect(answer.body).to.contain(problems.secondStep.heading);
      expect(answer.body).to.contain(`href="/auth/${dashboard.id}/account"`);
      expect(await statusOf(memberId)).to.equal(0);
    } finally {
      await operator.call('auth.settings.reset', {}, inEnvironment(dashboard));
    }
  });

  it('leads to the hosted sign-in page where codes are off', async () => {
    const owner = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost'));
    const dashboard = await dashboardOf(platform);
    await owner.call('auth.settings.set', { methods: { code: { enabled: false } } }, inEnvironment(dashboard));
    const { token, email } = await invited();
    const { body } = await visit(`?token=${token}`);
    const link = /href="(\/auth\/[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const url = new URL(link, 'http://svc.example');
    expect(url.pathname).to.equal(`/auth/${dashboard.id}/signin`);
    expect(url.searchParams.get('email')).to.equal(email);
    expect(url.searchParams.get('redirectTo')).to.contain(`/invite?token=${token}`);
    await owner.call('auth.settings.reset', {}, inEnvironment(dashboard));
  });
});
