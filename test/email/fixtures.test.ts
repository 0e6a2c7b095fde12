import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { send, useMail } from './support.js';

describe('addresses of test environments that play an outcome', () => {
  const mail = useMail({
    settings: { SVC_MAIL_DOMAIN: 'mail.example.com', SVC_MAIL_RETURN_HOST: 'returns.example.net' },
  });
  const { platform } = mail;
  const at = (name: string): string => `${name}@test.mail.example.com`;

  itNeeding('audience')('are delivered, bounce, complain or are deferred, and nothing is sent', async () => {
    const { svcTest, test } = await platform.account();
    const ids: string[] = [];
    for (const name of ['delivered', 'bounced', 'complained', 'deferred']) {
      const sent = await send(svcTest, { to: at(name) });
      expect(sent, name).to.include({ status: 'queued', blocked: null });
      ids.push(sent.messageId);
    }
    await platform.settled();
    const shown = await Promise.all(ids.map((messageId) => svcTest.call('email.message.get', { messageId })));
    const now = platform.clock.now().toISOString();
    expect(shown.map(({ message }) => [message.status, message.deliveredAt])).to.deep.equal([
      ['sent', now],
      ['bounced', null],
      ['sent', now],
      ['queued', null],
    ]);
    expect(shown[1]?.message.bounce).to.include({ kind: 'hard', code: '5.1.1' });
    expect(shown[2]?.recipients[0]?.complainedAt).to.equal(now);
    expect(shown[3]?.attempts).to.have.length(1);
    const { suppressions } = await svcTest.call('audience.suppression.list', {});
    expect(suppressions.map(({ email, reason }) => [email, reason]).sort()).to.deep.equal([
      [at('bounced'), 'bounce'],
      [at('complained'), 'complaint'],
    ]);
    platform.clock.advance(minutes(1));
    await platform.settled();
    const { message, timeline } = await svcTest.call('email.message.get', { messageId: ids[3] ?? '' });
    expect(message).to.include({ status: 'sent', deliveredAt: platform.clock.now().toISOString() });
    expect(timeline.map(({ status }) => status)).to.deep.equal(['queued', 'retrying', 'sent', 'delivered']);
    expect(mail.smtp.received).to.deep.equal([]);
    const events = (await platform.events(test)).map(({ type }) => type);
    expect(events.filter((type) => type === 'email.bounced')).to.have.length(1);
    expect(events.indexOf('email.sent')).to.be.below(events.indexOf('email.bounced'));
  });

  itNeeding('audience')(
    'can be used again with another label, because an address that bounced is suppressed',
    async () => {
      const { svcTest } = await platform.account();
      await send(svcTest, { to: at('bounced') });
      await platform.settled();
      expect(await send(svcTest, { to: at('bounced') })).to.deep.include({
        status: 'suppressed',
        suppressedRecipients: [at('bounced')],
      });
      const { messageId } = await send(svcTest, { to: at('Bounced+2') });
      await platform.settled();
      expect((await svcTest.call('email.message.get', { messageId })).message.status).to.equal('bounced');
    },
  );

  it('can be combined with other recipients, who get the message', async () => {
    const { svcTest, ownerEmail } = await platform.account();
    const { messageId } = await send(svcTest, {
      to: [at('bounced'), ownerEmail, at('delivered'), 'someone@example.com'],
    });
    await platform.settled();
    const { message, recipients } = await svcTest.call('email.message.get', { messageId });
    expect(message).to.include({ status: 'sent' });
    expect(recipients.map(({ status }) => status)).to.deep.equal(['bounced', 'sent', 'sent', 'suppressed']);
    expect(mail.arrivalsOf(messageId).map((each) => each.recipients)).to.deep.equal([[ownerEmail]]);
  });

  it('are addresses as any other in a live environment, and others stay out of reach in a test one', async () => {
    const { svc, svcTest } = await platform.account();
    const { messageId } = await send(svc, { to: at('bounced') });
    expect((await mail.mailOf(messageId)).recipients).to.deep.equal([at('bounced')]);
    for (const to of [
      at('else'),
      'bounced@mail.example.com',
      'bounced@test.example.com',
      'bounced@test.mail.example.com.evil.example',
    ])
      expect((await send(svcTest, { to })).blocked?.reason, to).to.equal('test_environment');
  });
});
