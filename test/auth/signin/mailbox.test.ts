import { expect } from 'chai';
import type { SystemMail } from '#plugins/email/ports.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { codeMail } from '#plugins/auth/mails/templates.js';
import { inviteTemplate } from '#plugins/account/members/invite-mail.js';
import { confirmTemplate } from '#plugins/audience/subscriptions/mail.js';
import { from, useSignInMail } from '#test/auth/sign-in-mail.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';

describe('Sign-in mail to one mailbox', () => {
  const test = useSignInMail();
  const { platform } = test;

  const outcomes = async (count: number, call: (n: number) => Promise<unknown>): Promise<number> => {
    let sent = 0;
    for (let n = 0; n < count; n += 1) {
      try {
        await call(n);
        sent += 1;
      } catch {
        // Refused: the case counts those that were not.
      }
    }
    return sent;
  };
  const spelled = [
    (n: number): string => `victim+${n}@example.com`,
    (n: number): string => `v.ictim${'+'.repeat(Math.min(n, 1))}${n === 0 ? '' : n}@gmail.com`,
    (n: number): string => `victim+${n}@${n % 2 === 0 ? 'gmail.com' : 'googlemail.com'}`,
  ];

  for (const [index, spelling] of spelled.entries())
    it(`is five in 10 minutes from one IP address, however the address is written (${index + 1})`, async () => {
      const app = test.app(await platform.account());
      const start = (n: number): Promise<unknown> =>
        app.call('auth.signin.start', { email: spelling(n) }, from('203.0.113.7'));
      expect(await outcomes(30, start)).to.equal(5);
      const refused = await app.refusal('auth.signin.start', { email: spelling(31) }, from('203.0.113.7'));
      expect(refused).to.include({ status: 429, code: 'rate_limited' });
      platform.clock.advance(minutes(10));
      await start(32);
    });

  it('is twenty in 10 minutes from all IP addresses together', async () => {
    const app = test.app(await platform.account());
    const start = (n: number): Promise<unknown> =>
      app.call('auth.signin.start', { email: `v.ictim+${n}@gmail.com` }, from(`203.0.${n}.7`));
    expect(await outcomes(30, start)).to.equal(20);
  });

  it('counts addresses that users add', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const users = ['one', 'two', 'three'];
    const tokens: string[] = [];
    for (const user of users)
      tokens.push((await signedIn(platform, account.live, { email: `${user}@example.com` })).accessToken);
    const add = (n: number): Promise<unknown> =>
      app.call(
        'auth.identity.add',
        { accessToken: tokens[n % 3] ?? '', email: `vic.tim+${n}@gmail.com` },
        from('203.0.113.8'),
      );
    expect(await outcomes(12, add)).to.equal(5);
  });

  it('does not count passwords, which send nothing: users with tags have limits of their own', async () => {
    const app = test.app(await platform.account());
    for (let n = 0; n < 8; n += 1) {
      const refused = await app.refusal(
        'auth.password.signin',
        { email: `qa+${n}@example.com`, password: 'wrong password' },
        from('203.0.113.9'),
      );
      expect(refused.code).to.equal('invalid_credentials');
    }
  });

  it('follows the setting rateLimits.startPerIdentifier', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { rateLimits: { startPerIdentifier: { max: 2 } } });
    const app = test.app(account);
    const start = (n: number): Promise<unknown> =>
      app.call('auth.signin.start', { email: `v+${n}@example.com` }, from('203.0.113.7'));
    expect(await outcomes(5, start)).to.equal(2);
  });

  // No operation can leave this out: it is counted where all system mail is queued.
  const templates: readonly (readonly [EmailSystemTemplate, number])[] = [
    [codeMail, 120],
    [inviteTemplate, 20],
    [confirmTemplate, 10],
  ];
  for (const [template, most] of templates)
    it(`${template.name} reaches a mailbox at most ${most} times, whatever queues it`, async () => {
      const account = await platform.account();
      const { services } = platform.running;
      const queue = async (n: number): Promise<void> => {
        const variables = Object.fromEntries(template.variables.map((name) => [name, 'x']));
        const mail: SystemMail = { template, to: `b.o.b+${n}@gmail.com`, variables, url: 'https://example.com' };
        await services.transaction('Test', async (context) => {
          context.actIn(account.live);
          context.audit({ operation: 'account.update', summary: 'Queued for a test.' });
          await context.use(transactionalMail).queue(account.live, mail);
        });
      };
      for (let n = 0; n < most; n += 1) await queue(n);
      const error: unknown = await queue(most).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(SvcError);
      expect(error).to.have.property('code', 'auth_send_limited');
      expect(error).to.have.property('message').that.contains('to one recipient');
    });
});
