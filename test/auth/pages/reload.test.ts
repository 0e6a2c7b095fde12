import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { useBrowser } from '#test/support/browser.js';
import { minutes } from '#test/support/clock.js';
import { inside } from './inside.js';
import { visitor, type Visitor } from './visitor.js';

describe('A form of the hosted pages', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const browser = useBrowser();
  let people = 0;

  async function signedIn(): Promise<{ root: string; visitor: Visitor }> {
    const account = await platform.account();
    const email = `reload${(people += 1)}@example.com`;
    return { root: `/auth/${account.live.id}`, visitor: await inside(test, account, email) };
  }

  it('is answered with a redirect when it is refused; the page behind it says why, once', async () => {
    const { live } = await platform.account();
    const page = `/auth/${live.id}/signin`;
    const person = visitor(platform);
    await person.get(page);
    const refused = await person.post(page, { do: 'code', email: 'ada@nowhere' });
    expect(refused.status).to.equal(303);
    const [address, flow = ''] = refused.location?.split('&flow=') ?? [];
    expect(address, 'nothing of the person or the refusal').to.equal(`${page}?step=start`);
    expect(flow).to.match(/^[\w-]{8}$/);
    const [kept = ''] = refused.headers.getSetCookie().filter((line) => line.startsWith('svc_result_'));
    expect(kept).to.contain('HttpOnly').and.contain('SameSite=Lax').and.contain('Max-Age=300');
    expect(Buffer.from(/=([^;]+)/.exec(kept)?.[1] ?? '', 'base64url').toString(), 'sealed').not.to.contain('nowhere');
    const first = await person.get(refused.location ?? '');
    expect(first.status).to.equal(400);
    expect(first.text).to.contain('Enter a complete email address').and.contain('aria-invalid="true"');
    const reloaded = await person.get(refused.location ?? '');
    expect(reloaded.status).to.equal(200);
    expect(reloaded.text)
      .to.contain('value="ada@nowhere"')
      .and.not.contain('Enter a complete')
      .and.not.contain('aria-invalid="true"');
  });

  it('says what it has done once, and to nobody who has the address alone', async () => {
    const { root, visitor: person } = await signedIn();
    const saved = await person.submit(`${root}/account`, { do: 'profile', name: 'Ada' });
    expect(saved.path).to.equal(`${root}/account`);
    expect(saved.text).to.contain('Saved.');
    expect((await person.get(saved.path)).text)
      .to.contain('value="Ada"')
      .and.not.contain('Saved.');
    expect((await person.get(`${root}/account?done=saved`)).text).not.to.contain('Saved.');
  });

  it('leaves its result for the page that it leads to, and for five minutes', async () => {
    const { root, visitor: person } = await signedIn();
    await person.post(`${root}/account`, { do: 'profile', name: 'Ada' });
    expect((await person.get(`${root}/signin?step=start`)).text).not.to.contain('Saved.');
    expect((await person.get(`${root}/account?other=page`)).text).not.to.contain('Saved.');
    platform.clock.advance(minutes(6));
    expect((await person.get(`${root}/account`)).text)
      .to.contain('Signed in as')
      .and.not.contain('Saved.');
  });

  it('keeps no password and no code that were entered', async () => {
    const { root, visitor: person } = await signedIn();
    const secret = 'password1';
    const refused = await person.submit(`${root}/account`, { do: 'set-password', password: secret });
    expect(refused.text).to.contain('This password has appeared in a data breach').and.not.contain(secret);
    const wrong = await person.submit(`${root}/signin?step=password`, {
      ...{ do: 'password-signin', email: 'ada@example.com', password: secret },
    });
    expect(wrong.text)
      .to.contain('Incorrect email address, phone number or password.')
      .and.contain('value="ada@example.com"')
      .and.not.contain(secret);
  });

  it('of a step with a code shows the step again, as often as it is loaded', async () => {
    const { root, visitor: person } = await signedIn();
    const asked = await person.submit(`${root}/account`, { do: 'add-address', email: 'more@example.com' });
    expect(asked.path).to.equal(`${root}/account?step=address`);
    expect((await person.get(asked.path)).text).to.contain('one-time-code');
    expect(await test.mailsTo('more@example.com'), 'loading it again sends nothing').to.have.length(1);
    const challengeId = /name="challengeId" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    const right = await test.codeTo('more@example.com');
    const code = right === '000000' ? '111111' : '000000';
    const wrong = await person.submit(asked.path, { do: 'verify-address', challengeId, code });
    expect(wrong.text).to.contain('Attempts left: 4').and.contain('one-time-code');
    expect((await person.get(wrong.path)).text)
      .to.contain('one-time-code')
      .and.not.contain('Attempts left');
    const added = await person.submit(asked.path, { do: 'verify-address', challengeId, code: right });
    expect(added.text).to.contain('Added.');
    const late = await person.open(asked.path);
    expect(late.path).to.equal(`${root}/account`);
    expect(late.text).to.contain('This has expired.');
  });

  it('that signs in by a link can be loaded again once the link was used', async () => {
    const { live } = await platform.account();
    const root = `/auth/${live.id}`;
    await visitor(platform).submit(`${root}/signin`, { do: 'link', email: 'link@example.com' });
    const path = `${root}/link?token=${await test.linkTo('link@example.com')}`;
    const [first, second] = [visitor(platform), visitor(platform)];
    expect((await first.submit(path, { do: 'complete' })).text).to.contain('Signed in as');
    const used = await second.submit(path, { do: 'complete' });
    expect(used.status).to.equal(409);
    expect(used.text).to.contain('This has already been used.');
    expect((await second.get(used.path)).status).to.equal(200);
  });

  it('tells a browser without cookies to allow them, also when it is refused', async () => {
    const { live } = await platform.account();
    const person = visitor(platform);
    const refused = await person.post(`/auth/${live.id}/signin`, { do: 'code', email: 'ada@nowhere' });
    person.forget(/./);
    const seen = await person.get(refused.location ?? '');
    expect(seen.status).to.equal(400);
    expect(seen.text).to.contain('Your browser is blocking cookies');
  });

  it('is not submitted again by a browser that reloads the page', async () => {
    const { live } = await platform.account();
    const page = await browser.open({ locale: 'en-GB' });
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.isNavigationRequest()) posts.push(request.url());
    });
    await page.goto(`${platform.running.address}/auth/${live.id}/signin`);
    await page.getByLabel('Email address').fill('chromium@example.com');
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code').fill('123');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Enter the 6-digit code.').waitFor();
    expect(await page.getByLabel('Code').getAttribute('aria-describedby')).to.contain('problem');
    expect(posts).to.have.length(2);
    await page.reload();
    await page.getByLabel('Code').waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    expect(posts).to.have.length(2);
    expect(await test.mailsTo('chromium@example.com')).to.have.length(1);
  });

  it('begins one ceremony of a passkey, however often its step is loaded; the step ends with the ceremony', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { passkeys: { rpId: 'localhost' } });
    const challengeIn = (text: string): string | undefined => /name="challengeId" value="([^"]+)"/.exec(text)?.[1];
    const begun = (): Promise<number> => platform.count('auth_challenge', "purpose LIKE 'passkey%'");
    const page = `/auth/${account.live.id}`;

    const person = visitor(platform);
    await person.get(`${page}/signin`);
    const signIn = challengeIn((await person.submit(`${page}/signin`, { do: 'passkey' })).text);
    expect(signIn).to.be.a('string');
    const member = await inside(test, account, 'passkey@example.com');
    const adding = challengeIn((await member.submit(`${page}/account`, { do: 'add-passkey' })).text);
    expect(adding).to.be.a('string');
    const before = await begun();
    for (let load = 0; load < 12; load += 1) {
      expect(challengeIn((await person.get(`${page}/signin?step=passkey`)).text)).to.equal(signIn);
      expect(challengeIn((await member.get(`${page}/account?step=passkey`)).text)).to.equal(adding);
    }
    expect(await begun()).to.equal(before);

    platform.clock.advance(minutes(5));
    expect((await person.get(`${page}/signin?step=passkey`)).text).not.to.contain('data-options');
    const ended = await member.get(`${page}/account?step=passkey`);
    expect([ended.status, ended.location]).to.deep.equal([303, `${page}/account`]);
    expect(await begun()).to.equal(before);
  });
});
