import { inEachLanguage } from '#core/kernel/language.js';
import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';
import { itNeeding } from '#test/support/products.js';
import { suppress, useMail } from './support.js';

const template = {
  name: 'account.test',
  channel: 'email' as const,
  description: 'A test.',
  budget: 'invitation' as const,
  variables: [],
  requiredVariables: [],
  locales: inEachLanguage(() => ({ subject: 'A code', heading: 'A code', body: 'It is 123456.', footer: 'Bye.' })),
};

describe('system mail: recipients', () => {
  const mail = useMail();
  const { platform } = mail;

  const queue = (environment: Environment, to: string): Promise<{ messageId: string }> =>
    platform.running.services.transaction('Test', ({ use }) =>
      use(transactionalMail).queue(environment, { template, to, variables: {} }),
    );
  const arrived = (to: string): number => mail.smtp.received.filter(({ recipients }) => recipients.includes(to)).length;

  itNeeding('audience')('goes to suppressed addresses, except those that bounced, as the answer says', async () => {
    const { live, svc } = await platform.account();
    const expected = [
      ['bounce', 'suppressed'],
      ['complaint', 'sent'],
      ['manual', 'sent'],
      ['unsubscribe', 'sent'],
    ] as const;
    for (const [reason, status] of expected) {
      const to = `${reason}@example.com`;
      await suppress(platform, live, to, reason);
      const answer = await queue(live, to);
      expect(answer, reason).to.have.property('hasBounced', reason === 'bounce');
      await platform.settled();
      const { message, content } = await svc.call('email.message.get', { messageId: answer.messageId });
      expect([reason, message.status, arrived(to)]).to.deep.equal([reason, status, status === 'sent' ? 1 : 0]);
      expect([message.subject, content]).to.deep.equal([null, null]);
    }
    expect(await platform.count('email_content'), 'nothing of it is kept').to.equal(0);
  });

  itNeeding('audience')('does not go to an address that bounces while the mail is queued', async () => {
    const { live, svc } = await platform.account();
    mail.smtp.onRecipient = () => ({ code: 451, message: 'later' });
    const sent = await queue(live, 'soon-gone@example.com');
    await platform.settled();
    await suppress(platform, live, 'soon-gone@example.com', 'bounce');
    mail.smtp.onRecipient = () => null;
    platform.clock.advance(60_000);
    await platform.settled();
    const { message } = await svc.call('email.message.get', { messageId: sent.messageId });
    expect([message.status, arrived('soon-gone@example.com')]).to.deep.equal(['suppressed', 0]);
  });

  itNeeding('auth')(
    'goes from a test environment only to members of the account and to people invited to it',
    async () => {
      const { test, svcTest, ownerEmail } = await platform.account();
      const toOwner = await queue(test, ownerEmail);
      const toStranger = await queue(test, 'stranger@example.com');
      const owner = withSession(platform, await dashboardSession(platform, ownerEmail));
      await owner.call('account.member.invite', { email: 'invited@example.com' }, inEnvironment(test));
      await platform.settled();
      expect([arrived(ownerEmail), arrived('stranger@example.com'), arrived('invited@example.com')]).to.deep.equal([
        1, 0, 1,
      ]);
      const shown = async ({ messageId }: { messageId: string }) =>
        (await svcTest.call('email.message.get', { messageId })).message;
      expect((await shown(toOwner)).status).to.equal('sent');
      expect(await shown(toStranger)).to.deep.include({
        status: 'suppressed',
        suppressedRecipients: ['stranger@example.com'],
      });
      expect((await shown(toStranger)).blocked?.reason).to.equal('test_environment');
    },
  );
});
