import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { suppress } from '#test/email/support.js';
import { hours } from '#test/support/clock.js';

describe('auth.signin.start: addresses that have bounced', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('sends codes and links three times a day, and says that mail bounced', async () => {
    const account = await platform.account();
    const { live } = account;
    const app = test.app(account);
    const email = 'bounced@example.com';
    const start = async (method: 'code' | 'link' = 'code'): Promise<boolean> =>
      (await app.call('auth.signin.start', { email, method })).hasBounced;
    const received = async (count: number): Promise<void> => {
      await platform.settled();
      expect(await test.mailsTo(email)).to.have.length(count);
    };
    expect(await start()).to.equal(false);
    await received(1);
    await suppress(platform, live, email, 'bounce');
    expect([await start(), await start('link'), await start()]).to.deep.equal([true, true, true]);
    await received(4);
    expect(await start(), 'the fourth is stored as suppressed').to.equal(true);
    await received(4);
    platform.clock.advance(hours(25));
    await start();
    await received(5);
  });

  it('does not send other mail there', async () => {
    const { svc, live } = await platform.account();
    const email = 'bounced-too@example.com';
    await suppress(platform, live, email, 'bounce');
    const sent = await svc.call('email.send', { to: email, subject: 'Hello', text: 'Hi' });
    expect(sent.blocked?.reason).to.equal('suppressed_recipient');
  });
});
