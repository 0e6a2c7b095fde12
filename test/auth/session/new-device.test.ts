import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';

const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7; rv:140.0) Gecko/20100101 Firefox/140.0';
const newerFirefox = firefox.replaceAll('140.0', '141.0');
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

describe('The notice of a sign-in from a new device', () => {
  const test = useSignInMail();

  it('goes out for a device that the user did not use before, not for the first one nor for an update', async () => {
    const account = await test.platform.account();
    const app = test.app(account);
    const email = 'ada@example.com';
    let mails = 0;
    const signIn = async (userAgent: string): Promise<void> => {
      const options = { headers: { 'User-Agent': userAgent } };
      const { challengeId } = await app.call('auth.signin.start', { email }, options);
      mails += 1;
      const code = await test.codeTo(email, mails);
      await app.call('auth.signin.verify', { challengeId, code }, options);
    };
    await signIn(firefox);
    await signIn(newerFirefox);
    await signIn(phone);
    mails += 1;
    const received = await test.mailsTo(email, mails);
    const notices = received.filter(({ parsed }) => parsed.subject?.startsWith('New sign-in to') === true);
    expect(notices).to.have.length(1);
    expect(notices[0]?.parsed.text).to.contain('Safari');
    await signIn(phone);
    await test.platform.settled();
    expect(await test.mailsTo(email, mails)).to.have.length(mails);
  });

  it('compares with the browser that signed in, although an app’s server has refreshed the session', async () => {
    const account = await test.platform.account();
    const app = test.app(account);
    const email = 'cleo@example.com';
    let mails = 0;
    const signIn = async (headers: Record<string, string>): Promise<string> => {
      const { challengeId } = await app.call('auth.signin.start', { email }, { headers });
      mails += 1;
      const code = await test.codeTo(email, mails);
      const { tokens } = await app.call('auth.signin.verify', { challengeId, code }, { headers });
      return tokens?.refreshToken ?? '';
    };
    const browser = { 'User-Agent': firefox, 'X-Forwarded-For': '203.0.113.7' };
    let refreshToken = await signIn(browser);
    let userId = '';
    for (const userAgent of ['node', 'node-fetch/1.0 (+https://example.org)']) {
      const headers = { 'User-Agent': userAgent, 'X-Forwarded-For': '198.51.100.1' };
      const { tokens, user } = await app.call('auth.session.refresh', { refreshToken }, { headers });
      [refreshToken, userId] = [tokens.refreshToken, user.id];
    }
    const { sessions } = await account.svc.call('auth.session.list', { userId });
    expect(sessions.map(({ ip, device }) => [ip, device.browser])).to.deep.equal([['203.0.113.7', 'Firefox 140']]);
    await signIn(browser);
    await signIn({ 'User-Agent': 'node' });
    mails += 1;
    const subjects = (await test.mailsTo(email, mails)).map(({ parsed }) => parsed.subject ?? '');
    expect(subjects.map((each) => each.startsWith('New sign-in to'))).to.deep.equal([false, false, false, true]);
    await test.platform.settled();
    expect(await test.mailsTo(email, mails)).to.have.length(mails);
  });

  it('says in the reader’s language that nothing is known of the device', async () => {
    const account = await test.platform.account();
    const app = test.app(account);
    const email = 'bea@example.com';
    for (const [index, headers] of [{ 'User-Agent': firefox }, { 'User-Agent': '' }].entries()) {
      const { challengeId } = await app.call('auth.signin.start', { email, locale: 'fr' }, { headers });
      await app.call('auth.signin.verify', { challengeId, code: await test.codeTo(email, index + 1) }, { headers });
    }
    const notice = (await test.mailsTo(email, 3)).find(({ parsed }) => parsed.subject?.startsWith('Nouvelle') === true);
    expect(notice?.parsed.text).to.contain('depuis un nouvel appareil\u00a0: appareil inconnu.');
  });
});
