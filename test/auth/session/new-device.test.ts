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
