import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { days, hours, minutes } from '#test/support/clock.js';
import { expectedFields, headerOf, letter, refusedFields, send, useMail } from './support.js';

describe('email.send', () => {
  const mail = useMail();
  const { platform } = mail;

  it('answers what it accepted, and puts a real message on a real mail server', async () => {
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
    expect(parsed).to.include({ subject: 'Your order', messageId: `<${sent.messageId}@${ownAddress.split('@')[1] ?? ''}>` });
    expect(parsed.text?.trim()).to.equal('On its way.');
    expect(parsed.html?.trim()).to.equal('<p>On its way.</p>');
    expect(new Date(parsed.date ?? '').getTime()).to.be.closeTo(platform.clock.now().getTime(), 1_000);
  });

  it('writes an audit record, and an event that carries the message without its bodies', async () => {
    const { svc, live } = await platform.account();
    const { activityId, result } = await svc.envelope('email.send', letter({ text: 'canary-text', html: 'canary-html' }));
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

  it('reaches to, cc and bcc, and shows bcc to nobody', async () => {
    const { svc } = await platform.account();
    const input = { to: ['a@example.com', 'b@example.com'], cc: ['c@example.com'], bcc: ['d@example.com', 'e@example.com'] };
    const { messageId, to } = await send(svc, input);
    expect(to).to.deep.equal(input.to);
    const { parsed, recipients, raw } = await mail.mailOf(messageId);
    expect(recipients).to.have.members([...input.to, ...input.cc, ...input.bcc]);
    expect(parsed.to?.map(({ address }) => address)).to.deep.equal(input.to);
    expect(parsed.cc?.map(({ address }) => address)).to.deep.equal(input.cc);
    expect(raw.toString()).not.to.match(/bcc|[de]@example\.com/i);
  });

  it('reaches everybody once, wherever and however they are named', async () => {
    const { svc } = await platform.account();
    const sent = await send(svc, {
      to: ['Ada@example.com', 'ada@EXAMPLE.com', '"ada"@example.com'.replaceAll('"', '')],
      cc: ['ada@example.com', 'bob@example.com'],
      bcc: ['BOB@example.com', 'cy@example.com', 'cy@example.com'],
    });
    expect(sent.to).to.deep.equal(['Ada@example.com']);
    const { parsed, recipients } = await mail.mailOf(sent.messageId);
    expect(recipients).to.have.members(['Ada@example.com', 'bob@example.com', 'cy@example.com']);
    expect(recipients).to.have.length(3);
    expect(parsed.cc?.map(({ address }) => address)).to.deep.equal(['bob@example.com']);
  });

  it('takes 50 addresses in a field, and not 51', async () => {
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

  it('names who writes, and where answers go', async () => {
    const { svc } = await platform.account();
    const domain = (await svc.call('email.sender.get', {})).ownAddress.split('@')[1] ?? '';
    const from = `orders@${domain}`;
    const replyTo = ['help@example.com', 'desk@example.org'];
    const sent = await send(svc, { from: from.toUpperCase().replace('ORDERS', 'orders'), fromName: 'Ünï “Shop”, Inc.', replyTo });
    expect(sent).to.include({ from, fromName: 'Ünï “Shop”, Inc.' });
    const { parsed, envelopeFrom } = await mail.mailOf(sent.messageId);
    expect(parsed.from).to.deep.include({ name: 'Ünï “Shop”, Inc.', address: from });
    expect(parsed.replyTo?.map(({ address }) => address)).to.deep.equal(replyTo);
    expect(envelopeFrom).to.equal(from);
  });

  it('writes in the project’s sender’s name where nothing is said, and in its own where it names an address', async () => {
    const { svc } = await platform.account();
    const domain = (await svc.call('email.sender.get', {})).ownAddress.split('@')[1] ?? '';
    await svc.call('email.sender.set', { from: `shop@${domain}`, fromName: 'Shop', replyTo: 'help@example.com' });
    const plain = await send(svc);
    expect(plain).to.include({ from: `shop@${domain}`, fromName: 'Shop' });
    expect((await mail.mailOf(plain.messageId)).parsed.replyTo?.map(({ address }) => address)).to.deep.equal(['help@example.com']);
    const own = await send(svc, { from: `other@${domain}`, replyTo: ['me@example.com'] });
    expect(own).to.include({ from: `other@${domain}`, fromName: null });
    expect((await mail.mailOf(own.messageId)).parsed.replyTo?.map(({ address }) => address)).to.deep.equal(['me@example.com']);
    expect(await send(svc, { fromName: 'Ada of Shop' })).to.include({ from: `shop@${domain}`, fromName: 'Ada of Shop' });
  });

  it('sends from the project’s own domain alone, for as long as no other is verified', async () => {
    const { svc } = await platform.account();
    const other = await platform.account();
    const { ownAddress } = await svc.call('email.sender.get', {});
    const theirs = (await other.svc.call('email.sender.get', {})).ownAddress;
    for (const from of ['hello@example.com', theirs, `x@sub.${ownAddress.split('@')[1] ?? ''}`, 'x@mail.localhost']) {
      const refusal = await svc.refusal('email.send', letter({ from }));
      expect(refusal, from).to.include({ status: 403, code: 'sender_not_verified' });
    }
  });

  it('carries headers of the kinds X- and List-, tags, and nothing else', async () => {
    const { svc } = await platform.account();
    const headers = { 'X-Campaign': 'spring', 'x-größe'.replace('größe', 'size'): 'groß', 'List-Id': '<news.example.com>' };
    const sent = await send(svc, { headers, tags: { order: 'A-1024', kind: 'receipt' } });
    const arrived = await mail.mailOf(sent.messageId);
    expect(headerOf(arrived, 'X-Campaign')).to.equal('spring');
    expect(headerOf(arrived, 'X-Size')).to.equal('groß');
    expect(headerOf(arrived, 'List-Id')).to.equal('<news.example.com>');
    expect(arrived.raw.toString()).not.to.contain('A-1024');
    const { message } = await svc.call('email.message.get', { messageId: sent.messageId });
    expect(message.tags).to.deep.equal({ order: 'A-1024', kind: 'receipt' });
    const names = ['Bcc', 'From', 'Subject', 'Content-Type', 'DKIM-Signature', 'Return-Path', 'Received', 'Message-ID', 'X-Svc-Message-Id', 'X-', 'X-A B', 'X-A:', ''];
    const cases = [
      ...names.map((name) => [name, letter({ headers: { [name]: 'x' } }), `headers.${name}`] as const),
      ['31 headers', letter({ headers: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`X-${n}`, 'v'])) }), 'headers'] as const,
      ['11 tags', letter({ tags: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`t${n}`, 'v'])) }), 'tags'] as const,
      ['a spaced tag', letter({ tags: { 'a b': 'v' } }), 'tags.a b'] as const,
      ['an empty tag', letter({ tags: { a: '' } }), 'tags.a'] as const,
      ['a long tag', letter({ tags: { a: 'x'.repeat(251) } }), 'tags.a'] as const,
    ];
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('keeps tags of 250 characters in any script', async () => {
    const { svc } = await platform.account();
    for (const value of ['字'.repeat(250), '🦊'.repeat(250)]) {
      const tags = { ['k'.repeat(60)]: value };
      const { messageId } = await send(svc, { tags });
      expect((await svc.call('email.message.get', { messageId })).message.tags).to.deep.equal(tags);
      const found = await svc.call('email.message.list', { tag: `${'k'.repeat(60)}=${value}` });
      expect(found.messages.map((message) => message.messageId)).to.deep.equal([messageId]);
    }
  });

  it('holds a message back until its time, at most 30 days ahead', async () => {
    const { svc } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + days(30)).toISOString();
    const sent = await send(svc, { sendAfter });
    expect(sent).to.include({ status: 'queued', sendAfter });
    platform.clock.advance(days(30) - 1);
    await platform.settled();
    expect(mail.arrivalsOf(sent.messageId)).to.deep.equal([]);
    platform.clock.advance(1);
    const { parsed } = await mail.mailOf(sent.messageId);
    expect(new Date(parsed.date ?? '').getTime(), 'dated when it leaves').to.be.closeTo(Date.parse(sendAfter), 1_000);
    const late = new Date(platform.clock.now().getTime() + days(30) + 1).toISOString();
    expect(await svc.refusal('email.send', letter({ sendAfter: late }))).to.deep.include({ code: 'invalid_input', details: { field: 'sendAfter' } });
  });

  it('sends at once what was due in the past, and does not call it delayed', async () => {
    const { svc } = await platform.account();
    const past = [new Date(platform.clock.now().getTime() - hours(30)).toISOString(), '1971-01-01T00:00:00+05:30', '0000-01-01T00:00:00Z'];
    for (const sendAfter of past) {
      const sent = await send(svc, { sendAfter });
      expect(sent, sendAfter).to.include({ status: 'queued', sendAfter: null });
      const { parsed } = await mail.mailOf(sent.messageId);
      expect(new Date(parsed.date ?? '').getTime()).to.be.closeTo(platform.clock.now().getTime(), minutes(1));
    }
  });

  it('refuses what it does not know: templates and topics among it', async () => {
    const { svc } = await platform.account();
    const cases = ['topic', 'template', 'templateVersion', 'locale', 'path', 'Bcc', 'attachment', 'environmentId'].map(
      (name) => [name, { ...letter(), [name]: 'x' }, name] as const,
    );
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });
});
