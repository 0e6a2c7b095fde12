import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';

describe('email.send', () => {
  const parts: { smtp?: SmtpReceiver } = {};
  const smtp = (): SmtpReceiver => {
    if (!parts.smtp) throw new Error('The receiver does not run.');
    return parts.smtp;
  };
  const platform = usePlatform({
    async settings() {
      parts.smtp = await startSmtpReceiver();
      return { SVC_SMTP_URL: parts.smtp.url };
    },
  });
  after(() => parts.smtp?.close());

  it('puts a real message on a real SMTP server', async () => {
    const { svc, live } = await platform.account();
    const sent = await svc.call('email.send', {
      to: 'ada@example.com',
      subject: 'Hello {{ name }}',
      text: 'Hi {{ name }}',
      html: '<p>Hi {{ name }}</p>',
      variables: { name: 'A<b>' },
    });
    expect(sent).to.include({ status: 'queued', blocked: null, subject: 'Hello A<b>' });
    const [mail] = await smtp().waitFor(1);
    expect(mail?.parsed).to.include({
      subject: 'Hello A<b>',
      messageId: `<${sent.messageId}@${sent.from.split('@')[1] ?? ''}>`,
    });
    expect(mail?.parsed.text).to.contain('Hi A<b>');
    expect(mail?.parsed.html).to.contain('<p>Hi A&lt;b&gt;</p>');
    await platform.settled();
    const shown = await svc.call('email.message.get', { messageId: sent.messageId });
    expect(shown.message).to.include({ status: 'sent' });
    expect(shown.attempts).to.have.length(1);
    expect((await platform.events(live)).map(({ type }) => type)).to.deep.equal(['email.queued', 'email.sent']);
  });

  it('stores and does not send what a test key addresses to strangers', async () => {
    const { svcTest, ownerEmail } = await platform.account();
    const stranger = await svcTest.call('email.send', { to: 'bob@example.com', subject: 'Hello', text: 'Hi' });
    expect(stranger.status).to.equal('suppressed');
    expect(stranger.blocked?.reason).to.equal('test_environment');
    const mixed = await svcTest.call('email.send', {
      to: [ownerEmail, 'bob@example.com'],
      subject: 'Hello',
      text: 'Hi',
    });
    expect(mixed).to.deep.include({ status: 'queued', suppressedRecipients: ['bob@example.com'] });
    await platform.settled();
    expect(smtp().received.filter(({ recipients }) => recipients.includes('bob@example.com'))).to.deep.equal([]);
    expect(smtp().received.filter(({ recipients }) => recipients.includes(ownerEmail))).to.have.length(1);
  });
});
