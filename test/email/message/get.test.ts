import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { send, useMail } from '../support.js';

describe('email.message.get', () => {
  const mail = useMail();
  const { platform } = mail;

  it('shows a message with its content, files, recipients, attempts and timeline', async () => {
    const { svc, live } = await platform.account();
    const file = { filename: 'a.txt', contentType: 'text/plain', content: 'YWJj' };
    const sent = await send(svc, {
      to: ['a@example.com', 'b@example.com'],
      cc: ['c@example.com'],
      bcc: ['d@example.com'],
      fromName: 'Shop',
      replyTo: ['help@example.com'],
      subject: 'Hello {{ name }}',
      text: 'Hi {{ name }}',
      html: '<p>Hi</p>',
      variables: { name: 'Ada' },
      tags: { order: '7' },
      headers: { 'X-A': 'b' },
      attachments: [file],
    });
    await platform.settled();
    const shown = await svc.call('email.message.get', { messageId: sent.messageId });
    const now = platform.clock.now().toISOString();
    expect(shown.message).to.deep.equal({
      messageId: sent.messageId,
      status: 'sent',
      blocked: null,
      suppressedRecipients: [],
      system: false,
      to: ['a@example.com', 'b@example.com'],
      cc: ['c@example.com'],
      bcc: ['d@example.com'],
      from: sent.from,
      fromName: 'Shop',
      replyTo: ['help@example.com'],
      subject: 'Hello Ada',
      template: null,
      templateVersion: null,
      templateLocale: null,
      topic: null,
      broadcastId: null,
      automationId: null,
      contactId: null,
      tags: { order: '7' },
      sendAfter: null,
      sentAt: now,
      deliveredAt: null,
      bouncedAt: null,
      bounce: null,
      createdAt: now,
      contentRemovedAt: null,
    });
    expect(shown.content).to.deep.equal({ text: 'Hi Ada', html: '<p>Hi</p>', renderedNow: false });
    expect(shown.attachments).to.deep.equal([{ filename: 'a.txt', contentType: 'text/plain', bytes: 3 }]);
    expect(shown.recipients.map(({ email, status }) => [email, status])).to.deep.equal(
      ['a', 'b', 'c', 'd'].map((name) => [`${name}@example.com`, 'sent']),
    );
    expect(shown.attempts).to.have.length(1);
    expect(shown.attempts[0]).to.include({ at: now, status: 'sent', smtpCode: 250 });
    expect(shown.timeline).to.deep.equal([
      { at: now, status: 'queued' },
      { at: now, status: 'sent' },
    ]);
    const told = (await platform.events(live)).find(({ type }) => type === 'email.sent');
    expect(told?.data).to.deep.equal({ message: shown.message, failedRecipients: [] });
  });

  it('shows every attempt with its time and the server’s answer', async () => {
    const { svc } = await platform.account();
    mail.smtp.onMessage = () => ({ code: 451, message: '4.7.1 try later, please' });
    const { messageId } = await send(svc);
    await platform.settled();
    const accepted = platform.clock.now().toISOString();
    const waiting = await svc.call('email.message.get', { messageId });
    expect(waiting.message).to.include({ status: 'queued', sentAt: null });
    expect(waiting.recipients).to.deep.equal([
      {
        email: 'ada@example.com',
        status: 'queued',
        smtpCode: 451,
        response: '451 4.7.1 try later, please',
        endedAt: null,
        deliveredAt: null,
        bouncedAt: null,
        bounce: null,
        complainedAt: null,
      },
    ]);
    mail.smtp.onMessage = () => null;
    platform.clock.advance(minutes(1));
    await platform.settled();
    const now = platform.clock.now().toISOString();
    const shown = await svc.call('email.message.get', { messageId });
    expect(shown.attempts.map(({ at, status, smtpCode }) => ({ at, status, smtpCode }))).to.deep.equal([
      { at: accepted, status: 'temporary', smtpCode: 451 },
      { at: now, status: 'sent', smtpCode: 250 },
    ]);
    expect(shown.timeline).to.deep.equal([
      { at: accepted, status: 'queued' },
      { at: accepted, status: 'retrying' },
      { at: now, status: 'sent' },
    ]);
    expect(shown.recipients[0]).to.include({ status: 'sent', smtpCode: 250, endedAt: now });
  });

  it('shows why a message is suppressed', async () => {
    const { svcTest, ownerEmail } = await platform.account();
    const { messageId, blocked } = await send(svcTest, { to: 'stranger@example.com' });
    const shown = await svcTest.call('email.message.get', { messageId });
    expect(shown.message).to.deep.include({
      status: 'suppressed',
      blocked,
      suppressedRecipients: ['stranger@example.com'],
    });
    expect(blocked?.reason).to.equal('test_environment');
    expect(shown.attempts).to.deep.equal([]);
    expect(shown.timeline.map(({ status }) => status)).to.deep.equal(['suppressed']);
    const mixed = await send(svcTest, { to: ['stranger@example.com', ownerEmail] });
    await platform.settled();
    const partly = await svcTest.call('email.message.get', { messageId: mixed.messageId });
    expect(partly.message).to.deep.include({
      status: 'sent',
      blocked: null,
      suppressedRecipients: ['stranger@example.com'],
    });
    expect(partly.recipients.map(({ email, status }) => [email, status])).to.deep.equal([
      ['stranger@example.com', 'suppressed'],
      [ownerEmail, 'sent'],
    ]);
  });

  it('answers not_found for another environment’s id and for an unknown id', async () => {
    const { svc, svcTest } = await platform.account();
    const other = await platform.account();
    const { messageId } = await send(svc);
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8300';
    const refusals = [
      await svcTest.refusal('email.message.get', { messageId }),
      await other.svc.refusal('email.message.get', { messageId }),
      await svc.refusal('email.message.get', { messageId: unknown }),
    ].map(({ status, code, message, fix }) => ({ status, code, message, fix }));
    expect(refusals[0]).to.include({ status: 404, code: 'not_found' });
    expect(new Set(refusals.map((each) => JSON.stringify(each))).size, 'all alike').to.equal(1);
    expect(await svc.refusal('email.message.get', { messageId: 'x' })).to.deep.include({
      code: 'invalid_input',
      details: { field: 'messageId' },
    });
  });

  it('writes nothing', async () => {
    const { svc, live } = await platform.account();
    const { messageId } = await send(svc);
    await platform.settled();
    const before = await platform.count('svc_activity');
    const { activityId } = await svc.envelope('email.message.get', { messageId });
    expect(activityId).to.equal('');
    expect(await platform.count('svc_activity')).to.equal(before);
    expect((await platform.events(live)).map(({ type }) => type)).to.deep.equal(['email.queued', 'email.sent']);
  });
});
