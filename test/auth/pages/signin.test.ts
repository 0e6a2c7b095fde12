import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { minutes } from '#test/support/clock.js';
import { visitor } from './visitor.js';

describe('The sign-in page', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('signs a new person up by code, without a script, and leads to their account', async () => {
    const account = await platform.account();
    const page = `/auth/${account.live.id}/signin`;
    const browser = visitor(platform);
    const first = await browser.get(page);
    expect(first.status).to.equal(200);
    expect(first.text).to.contain('Email me a code').and.contain('Use a password');
    const asked = await browser.submit(page, { do: 'code', email: 'ada0@example.com' });
    expect(asked.text, 'as it was typed').to.contain('<bdi>ada0@example.com</bdi>').and.contain('one-time-code');
    const code = await test.codeTo('ada0@example.com');
    const wrong = await browser.submit(`${page}?step=code`, {
      do: 'verify',
      code: code === '000000' ? '111111' : '000000',
    });
    expect(wrong.status).to.equal(400);
    expect(wrong.text).to.contain('Attempts left: 4').and.contain('aria-invalid="true"');
    const inside = await browser.submit(`${page}?step=code`, { do: 'verify', code });
    expect(inside.status).to.equal(200);
    expect(inside.text).to.contain('Signed in as').and.contain('ada0@example.com');
  });

  it('starts again once the last try was wrong', async () => {
    const { live } = await platform.account();
    const page = `/auth/${live.id}/signin`;
    const browser = visitor(platform);
    await browser.get(page);
    await browser.submit(page, { do: 'code', email: 'last-try@example.com' });
    const right = await test.codeTo('last-try@example.com');
    const code = right === '000000' ? '111111' : '000000';
    const answers = [];
    for (let tries = 0; tries < 5; tries += 1)
      answers.push((await browser.submit(`${page}?step=code`, { do: 'verify', code })).text);
    expect(answers[3]).to.contain('Attempts left: 1');
    expect(answers[4])
      .to.contain('Too many incorrect codes. Please start over.')
      .and.contain('value="last-try@example.com"')
      .and.not.contain('one-time-code');
  });

  it('hands a sign-in over to the app, and keeps no session of its own', async () => {
    const account = await platform.account();
    const redirectTo = 'https://app.example.com/callback?from=svc';
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const page = `/auth/${account.live.id}/signin`;
    const browser = visitor(platform);
    const first = await browser.get(`${page}?${new URLSearchParams({ redirectTo }).toString()}`);
    expect(first.headers.get('Content-Security-Policy')).to.match(/form-action 'self'(;|$)/);
    await browser.submit(page, { do: 'code', email: 'grace1@example.com' });
    const code = await test.codeTo('grace1@example.com');
    const left = await browser.post(`${page}?step=code`, { do: 'verify', code });
    expect(left.status).to.equal(303);
    const back = new URL(left.location ?? '');
    expect(back.origin + back.pathname).to.equal('https://app.example.com/callback');
    const { user } = await test
      .app(account)
      .call('auth.session.exchange', { code: back.searchParams.get('svc_code') ?? '' });
    expect(user.email).to.equal('grace1@example.com');
    expect([...browser.cookies.keys()].filter((name) => /access|refresh/.test(name))).to.deep.equal([]);
  });

  it('returns from a link to the app that started the sign-in, whether or not it asked for a handoff', async () => {
    const account = await platform.account();
    const redirectTo = 'https://app.example.com/callback';
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const email = 'linked@example.com';
    await test.app(account).call('auth.signin.start', { email, method: 'link', redirectTo, state: 's1' });
    const page = `/auth/${account.live.id}/link?token=${await test.linkTo(email)}`;
    const browser = visitor(platform);
    await browser.get(page);
    const back = new URL((await browser.post(page, { do: 'complete' })).location ?? '', platform.running.address);
    expect([back.origin + back.pathname, back.searchParams.get('state')]).to.deep.equal([redirectTo, 's1']);
    const code = back.searchParams.get('svc_code') ?? '';
    expect((await test.app(account).call('auth.session.exchange', { code })).user.email).to.equal(email);
    expect([...browser.cookies.keys()].filter((name) => /access|refresh/.test(name))).to.deep.equal([]);
  });

  it('shows no form for an address that the app may not be called back at, and tells its developer what to do', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const page = `/auth/${account.live.id}/signin`;
    const allowed = encodeURIComponent('https://app.example.com/');
    for (const query of [
      'redirectTo=https%3A%2F%2Fevil.example%2Fcb',
      'redirectTo=foo',
      'redirectTo=',
      'redirectTo=//evil.example',
      'redirectTo=%00',
      `redirectTo=${allowed}&redirectTo=${allowed}`,
    ]) {
      const refused = await visitor(platform).get(`${page}?${query}`);
      expect(refused.status, query).to.equal(400);
      expect(refused.text)
        .to.contain('uses a return address that isn’t allowed')
        .and.contain('auth.settings.set')
        .and.contain('redirectUrls')
        .and.not.contain('<form');
      expect(refused.headers.get('Content-Security-Policy')).to.match(/form-action 'self'(;|$)/);
    }
  });

  it('stops a sign-in whose return address is no longer allowed', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const page = `/auth/${account.live.id}/signin`;
    const browser = visitor(platform);
    await browser.get(`${page}?${new URLSearchParams({ redirectTo: 'https://app.example.com/' }).toString()}`);
    await account.svc.call('auth.settings.set', { redirectUrls: [] });
    const refused = await browser.submit(page, { do: 'code', email: 'joan2@example.com' });
    expect(refused.status).to.equal(400);
    expect(refused.text).to.contain('uses a return address that isn’t allowed');
    expect(
      await platform.count('auth_challenge', `environment_id = UNHEX('${account.live.id.replaceAll('-', '')}')`),
    ).to.equal(0);
  });

  it('leads back to the hosted page that needed somebody, and to no other address', async () => {
    const account = await platform.account();
    const root = `/auth/${account.live.id}`;
    const browser = visitor(platform);
    const sent = await browser.get(`${root}/device?user_code=ABCD-EFGH`);
    expect(sent.location).to.contain(`${root}/signin?next=`);
    await browser.get(sent.location ?? '');
    await browser.submit(`${root}/signin`, { do: 'code', email: 'edith3@example.com' });
    const code = await test.codeTo('edith3@example.com');
    const back = await browser.post(`${root}/signin?step=code`, { do: 'verify', code });
    expect(back.location).to.equal(`${root}/device?user_code=ABCD-EFGH`);
    for (const [index, next] of [
      'https://evil.example.com/',
      '//evil.example.com/',
      `${root}/../../evil`,
      '/dev/mailbox',
    ].entries()) {
      const other = visitor(platform);
      const email = `eve${index}@example.com`;
      await other.get(`${root}/signin?${new URLSearchParams({ next }).toString()}`);
      await other.submit(`${root}/signin`, { do: 'code', email });
      const theirs = await test.codeTo(email);
      const after = await other.post(`${root}/signin?step=code`, { do: 'verify', code: theirs });
      expect(after.location, next).to.equal(`${root}/account`);
      platform.clock.advance(minutes(11));
    }
  });

  it('says alike for known and unknown addresses that a message is on its way', async () => {
    const account = await platform.account();
    const page = `/auth/${account.live.id}/signin`;
    const texts = [];
    for (const email of ['known@example.com', 'knowm@example.com']) {
      const browser = visitor(platform);
      const { status, text } = await browser.submit(page, { do: 'code', email });
      texts.push(
        `${status} ${text.replaceAll(/nonce="[^"]*"|nonce-[^']*|flow=[\w-]+/g, '').replaceAll(email, 'ADDRESS')}`,
      );
    }
    expect(texts[0]).to.equal(texts[1]);
  });

  it('tells a browser without cookies to allow them', async () => {
    const account = await platform.account();
    const browser = visitor(platform);
    const sent = await browser.post(`/auth/${account.live.id}/signin`, { do: 'code', email: 'ida7@example.com' });
    browser.forget(/./);
    const seen = await browser.get(sent.location ?? '');
    expect(seen.status).to.equal(400);
    expect(seen.text).to.contain('Your browser is blocking cookies');
  });

  it('leads whoever goes back after having signed in to their account', async () => {
    const account = await platform.account();
    const root = `/auth/${account.live.id}`;
    const browser = visitor(platform);
    await browser.get(`${root}/signin`);
    const sent = await browser.post(`${root}/signin`, { do: 'code', email: 'mary8@example.com' });
    await browser.post(sent.location ?? '', { do: 'verify', code: await test.codeTo('mary8@example.com') });
    for (const back of [sent.location ?? '', `${root}/signin?step=factor`])
      expect((await browser.get(back)).location, back).to.equal(`${root}/account`);
    const late = await browser.submit(sent.location ?? '', { do: 'verify', code: '123456' });
    expect(late.path).to.equal(`${root}/account`);
    expect(late.text).to.contain('Signed in as');
  });

  it('says that a sign-in has ended if none is in progress', async () => {
    const account = await platform.account();
    const page = `/auth/${account.live.id}/signin`;
    const browser = visitor(platform);
    for (const step of ['code', 'factor', 'recovery', 'sent']) {
      const seen = await browser.get(`${page}?step=${step}`);
      expect(seen.status).to.equal(400);
      expect(seen.text)
        .to.contain('This sign-in is no longer active')
        .and.contain('href="?step=start"')
        .and.not.contain('is blocking cookies');
    }
    expect((await browser.get(`${page}?step=start`)).text).to.contain('Email me a code');
  });

  it('shows only the refusal once no further code is sent, with the wait in minutes', async () => {
    const account = await platform.account();
    const browser = visitor(platform);
    let seen = await browser.submit(`/auth/${account.live.id}/signin`, { do: 'code', email: 'sally9@example.com' });
    for (let sent = 1; seen.status === 200 && sent < 20; sent += 1)
      seen = await browser.submit(`/auth/${account.live.id}/signin?step=code`, { do: 'resend' });
    expect(seen.status).to.equal(429);
    expect(seen.text)
      .to.match(/Too many attempts\. Wait \d+ minutes/)
      .and.not.contain('We’ve sent a new code');
  });

  it('counts no try for what cannot be a code', async () => {
    const account = await platform.account();
    const page = `/auth/${account.live.id}/signin`;
    const browser = visitor(platform);
    await browser.submit(page, { do: 'code', email: 'rosa10@example.com' });
    for (const code of ['123', '12ab', '1234567', '', 'abcdef', '12', '1']) {
      const refused = await browser.submit(`${page}?step=code`, { do: 'verify', code });
      expect(refused.status, code).to.equal(400);
      expect(refused.text).to.contain('Enter the 6-digit code.').and.contain('aria-invalid="true"');
    }
    const code = await test.codeTo('rosa10@example.com');
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const inside = await browser.submit(`${page}?step=code`, { do: 'verify', code: spaced });
    expect(inside.text).to.contain('Signed in as');
  });

  it('says what a whole address is, at the field', async () => {
    const account = await platform.account();
    const page = `/auth/${account.live.id}/signin`;
    for (const email of ['foo@bar', 'foo', '', 'ada@example.com, eve@example.com']) {
      const refused = await visitor(platform).submit(page, { do: 'code', email });
      expect(refused.status, email).to.equal(400);
      expect(refused.text)
        .to.contain('Enter a complete email address, such as ada@example.com.')
        .and.contain('aria-invalid="true"');
    }
    const byPassword = await visitor(platform).submit(`${page}?step=password`, {
      do: 'password-signin',
      email: 'foo@bar',
      password: 'correct horse battery',
    });
    expect(byPassword.text)
      .to.contain('Enter a complete email address')
      .and.match(/<input id="email"[^>]*aria-invalid="true"/)
      .and.not.match(/<input id="password"[^>]*aria-invalid/);
  });

  it('refuses forms of other sites', async () => {
    const account = await platform.account();
    const page = `/auth/${account.live.id}/signin`;
    const posted = await visitor(platform).post(
      page,
      { do: 'code', email: 'hedy6@example.com' },
      { 'Sec-Fetch-Site': 'cross-site' },
    );
    expect(posted.status).to.equal(403);
    expect(
      await platform.count('auth_challenge', `environment_id = UNHEX('${account.live.id.replaceAll('-', '')}')`),
    ).to.equal(0);
  });

  it('speaks the reader’s language, and the mail does too', async () => {
    const account = await platform.account();
    const page = `/auth/${account.live.id}/signin`;
    const browser = visitor(platform, 'pt-BR,en;q=0.5');
    expect((await browser.get(page)).text)
      .to.contain('<html lang="pt-PT"')
      .and.contain('Iniciar sessão em');
    await browser.submit(page, { do: 'code', email: 'ines@example.com' });
    const [mail] = await test.mailsTo('ines@example.com');
    expect(mail?.parsed.headers.find(({ key }) => key === 'content-language')?.value ?? mail?.parsed.text).to.match(
      /pt|código/,
    );
  });

  it('keeps its pages out of caches and frames, and cookies from scripts', async () => {
    const account = await platform.account();
    const seen = await visitor(platform).get(`/auth/${account.live.id}/signin`);
    expect(seen.headers.get('Cache-Control')).to.equal('no-store');
    expect(seen.headers.get('Content-Security-Policy'))
      .to.contain("frame-ancestors 'none'")
      .and.contain("default-src 'none'");
    for (const cookie of seen.headers.getSetCookie()) expect(cookie).to.contain('HttpOnly').and.contain('SameSite=Lax');
  });

  it('does not exist for an environment that does not', async () => {
    const seen = await visitor(platform).get('/auth/01890a5d-ac96-774b-bcce-b302099a8000/signin');
    expect(seen.status).to.equal(404);
  });
});
