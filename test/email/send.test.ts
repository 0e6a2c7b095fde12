import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { expectedFields, letter, refusedFields, send, useMail } from './support.js';

describe('email.send', () => {
  const mail = useMail();
  const { platform } = mail;

  it('answers with what it accepted, and delivers the message to a mail server', async () => {
    const { svc } = await platform.account();
    const sent = await send(svc, { subject: 'Your order', text: 'On its way.', html: '<p>On its way.</p>' });
    const { ownAddress } = await svc.call('email.sender.get', {});
    expect(sent).to.deep.equal({
      messageId: sent.messageId,
      status: 'queued',
      blocked: null,
      suppressedRecipients: [],
      attachments: [],
      to: ['ada@example.com'],
      from: ownAddress,
      fromName: null,
      subject: 'Your order',
      template: null,
      templateVersion: null,
      templateLocale: null,
      sendAfter: null,
    });
    const { parsed, recipients, envelopeFrom } = await mail.mailOf(sent.messageId);
    expect({ recipients, envelopeFrom }).to.deep.equal({ recipients: ['ada@example.com'], envelopeFrom: ownAddress });
    expect(parsed.from?.address).to.equal(ownAddress);
    expect(parsed).to.include({
      subject: 'Your order',
      messageId: `<${sent.messageId}@${ownAddress.split('@')[1] ?? ''}>`,
    });
    expect(parsed.text?.trim()).to.equal('On its way.');
    expect(parsed.html?.trim()).to.equal('<p>On its way.</p>');
    expect(new Date(parsed.date ?? '').getTime()).to.be.closeTo(platform.clock.now().getTime(), 1_000);
  });

  it('takes empty lists of copies, reply addresses and attachments as none', async () => {
    const { svc } = await platform.account();
    const { messageId, attachments } = await send(svc, { cc: [], bcc: [], replyTo: [], attachments: [] });
    expect(attachments).to.deep.equal([]);
    const { message } = await svc.call('email.message.get', { messageId });
    expect(message).to.deep.include({ to: ['ada@example.com'], cc: [], bcc: [], replyTo: [] });
    const none = [['no recipient', letter({ to: [] }), 'to']] as const;
    expect(await refusedFields(svc, 'email.send', none)).to.deep.equal(expectedFields(none));
  });

  it('writes an audit record, and an event that carries the message without its bodies', async () => {
    const { svc, live } = await platform.account();
    const { activityId, result } = await svc.envelope(
      'email.send',
      letter({ text: 'canary-text', html: 'canary-html' }),
    );
    await platform.settled();
    const [queued, sent] = await platform.events(live);
    expect([queued?.type, sent?.type]).to.deep.equal(['email.queued', 'email.sent']);
    expect(queued).to.include({ activityId, subjectId: result.messageId });
    expect(queued?.data['message']).to.include({ messageId: result.messageId, status: 'queued', subject: 'Hello' });
    expect(JSON.stringify([queued, sent])).not.to.contain('canary');
    const rows = await platform.running.services.database.rows<{ operation: Buffer; subject_id: Buffer }>(
      'SELECT operation, subject_id FROM svc_activity WHERE id = ?',
      [idBytes(activityId)],
    );
    expect(rows.map((row) => [row.operation.toString(), row.subject_id.toString()])).to.deep.equal([
      ['email.send', result.messageId],
    ]);
  });

  it('delivers to to, cc and bcc, and shows bcc to nobody', async () => {
    const { svc } = await platform.account();
    const input = {
      to: ['a@example.com', 'b@example.com'],
      cc: ['c@example.com'],
      bcc: ['d@example.com', 'e@example.com'],
    };
    const { messageId, to } = await send(svc, input);
    expect(to).to.deep.equal(input.to);
    const { parsed, recipients, raw } = await mail.mailOf(messageId);
    expect(recipients).to.have.members([...input.to, ...input.cc, ...input.bcc]);
    expect(parsed.to?.map(({ address }) => address)).to.deep.equal(input.to);
    expect(parsed.cc?.map(({ address }) => address)).to.deep.equal(input.cc);
    expect(raw.toString()).not.to.match(/^bcc:|[de]@example\.com/im);
  });

  it('delivers once to an address that is given several times', async () => {
    const { svc } = await platform.account();
    const sent = await send(svc, {
      to: ['Ada@example.com', 'ada@EXAMPLE.com', 'Ada@example.com'],
      cc: ['ada@example.com', 'bob@example.com'],
      bcc: ['BOB@example.com', 'cy@example.com', 'cy@example.com'],
    });
    expect(sent.to).to.deep.equal(['Ada@example.com']);
    const { parsed, recipients } = await mail.mailOf(sent.messageId);
    expect(recipients).to.have.members(['Ada@example.com', 'bob@example.com', 'cy@example.com']);
    expect(recipients).to.have.length(3);
    expect(parsed.cc?.map(({ address }) => address)).to.deep.equal(['bob@example.com']);
  });

  it('accepts 50 addresses per field, and not 51', async () => {
    const { svc } = await platform.account();
    const some = (count: number, at: string): string[] => Array.from({ length: count }, (_, n) => `r${n}@${at}`);
    const full = { to: some(50, 'to.example.com'), cc: some(50, 'cc.example.com'), bcc: some(50, 'bcc.example.com') };
    const { recipients } = await mail.mailOf((await send(svc, full)).messageId);
    expect(new Set(recipients).size).to.equal(150);
    const cases = [
      ['51 to', letter({ to: some(51, 'example.com') }), 'to'],
      ['51 cc', letter({ cc: some(51, 'example.com') }), 'cc'],
      ['51 bcc', letter({ bcc: some(51, 'example.com') }), 'bcc'],
      ['nobody', letter({ to: [] }), 'to'],
      ['11 replyTo', letter({ replyTo: some(11, 'example.com') }), 'replyTo'],
    ] as const;
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('sends fromName and replyTo', async () => {
    const { svc } = await platform.account();
    const domain = (await svc.call('email.sender.get', {})).ownAddress.split('@')[1] ?? '';
    const from = `orders@${domain}`;
    const replyTo = ['help@example.com', 'desk@example.org'];
    const sent = await send(svc, { from: `orders@${domain.toUpperCase()}`, fromName: 'Ünï “Shop”, Inc.', replyTo });
    expect(sent).to.include({ from, fromName: 'Ünï “Shop”, Inc.' });
    const { parsed, envelopeFrom } = await mail.mailOf(sent.messageId);
    expect(parsed.from).to.deep.include({ name: 'Ünï “Shop”, Inc.', address: from });
    expect(parsed.replyTo?.map(({ address }) => address)).to.deep.equal(replyTo);
    expect(envelopeFrom).to.equal(from);
  });

  it('uses the project’s sender by default, and not its name when the message gives an address', async () => {
    const { svc } = await platform.account();
    const domain = (await svc.call('email.sender.get', {})).ownAddress.split('@')[1] ?? '';
    await svc.call('email.sender.set', { from: `shop@${domain}`, fromName: 'Shop', replyTo: 'help@example.com' });
    const plain = await send(svc);
    expect(plain).to.include({ from: `shop@${domain}`, fromName: 'Shop' });
    expect((await mail.mailOf(plain.messageId)).parsed.replyTo?.map(({ address }) => address)).to.deep.equal([
      'help@example.com',
    ]);
    const own = await send(svc, { from: `other@${domain}`, replyTo: ['me@example.com'] });
    expect(own).to.include({ from: `other@${domain}`, fromName: null });
    expect((await mail.mailOf(own.messageId)).parsed.replyTo?.map(({ address }) => address)).to.deep.equal([
      'me@example.com',
    ]);
    expect(await send(svc, { fromName: 'Ada of Shop' })).to.include({
      from: `shop@${domain}`,
      fromName: 'Ada of Shop',
    });
  });

  it('sends only from the project’s own domain while no other is verified', async () => {
    const { svc } = await platform.account();
    const other = await platform.account();
    const { ownAddress } = await svc.call('email.sender.get', {});
    const theirs = (await other.svc.call('email.sender.get', {})).ownAddress;
    for (const from of ['hello@example.com', theirs, `x@sub.${ownAddress.split('@')[1] ?? ''}`, 'x@mail.localhost']) {
      const refusal = await svc.refusal('email.send', letter({ from }));
      expect(refusal, from).to.include({ status: 403, code: 'sender_not_verified' });
    }
  });
});
