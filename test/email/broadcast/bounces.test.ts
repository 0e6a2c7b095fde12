import { expect } from 'chai';
import { recordReports } from '#plugins/email/bounces/record.js';
import { useMail } from '../support.js';
import { ownRecords } from '#test/support/own-records.js';
import { eventually } from '#test/support/eventually.js';
import { publish, publisher, reached, sendBroadcast, shown, subscribe, type Publisher } from './support.js';

describe('A broadcast of which more than 5 % bounced', () => {
  const mail = useMail();
  const { platform } = mail;

  it('is held, and the owners get a mail; resumed, it goes on and is not held again', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    const addresses = Array.from({ length: 40 }, (_, index) => `b${index}@bounce.example`);
    await subscribe(sender, addresses);
    // One recipient is refused for now, so that the broadcast is not complete.
    mail.smtp.onRecipient = (address) =>
      address === 'b39@bounce.example' ? { code: 451, message: '4.3.0 later' } : null;
    const broadcastId = await sendBroadcast(sender);
    await mail.smtp.waitFor(
      (all) => all.filter(({ recipients }) => recipients[0]?.endsWith('@bounce.example')).length === 39,
    );
    await platform.settled();
    const bounce = async (address: string): Promise<void> => {
      const { messages } = await svc.call('email.message.list', { to: address });
      const report = {
        type: 'bounced',
        kind: 'hard',
        code: '5.1.1',
        detail: 'unknown',
        at: platform.clock.now(),
      } as const;
      const owned = [{ messageId: messages[0]?.messageId ?? '', position: 0, report }];
      expect(
        await platform.running.services.transaction('Test', (context) => recordReports(context, owned)),
      ).to.deep.equal(['recorded']);
    };
    await bounce('b0@bounce.example');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({
      recipients: 40,
      sent: 38,
      bounced: 1,
      queued: 1,
    });
    // The last one leaves: now the share of all that were taken counts.
    mail.smtp.onRecipient = () => null;
    expect((await shown(sender, broadcastId)).status).to.equal('sending');
    await bounce('b1@bounce.example');
    expect((await shown(sender, broadcastId)).status, 'fewer than 100 were taken, and one waits').to.equal('sending');
    platform.clock.advance(3_600_000);
    await reached(sender, broadcastId, 'sent');
    await bounce('b2@bounce.example');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ sent: 37, bounced: 3 });
    const warned = await mail.smtp.waitFor((all) =>
      all.some(({ recipients }) => recipients.includes(sender.ownerEmail)),
    );
    const warning = warned.find(({ recipients }) => recipients.includes(sender.ownerEmail));
    expect(warning?.parsed.subject).to.contain('November news');
    expect(warning?.parsed.text).to.contain('3 of 40');
    await bounce('b3@bounce.example');
    await platform.settled();
    expect(mail.smtp.received.filter(({ recipients }) => recipients.includes(sender.ownerEmail))).to.have.length(1);
  });

  it('holds what is left of a large one', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['one@held.example', 'two@held.example']);
    mail.smtp.onRecipient = (address) =>
      address === 'two@held.example' ? { code: 451, message: '4.3.0 later' } : null;
    const broadcastId = await sendBroadcast(sender);
    await mail.smtp.waitFor((all) => all.some(({ recipients }) => recipients.includes('one@held.example')));
    await platform.settled();
    // As if 98 others had been taken, and 5 of them come back.
    const { database, transaction } = platform.running.services;
    await database.run(
      'UPDATE email_broadcast_count SET recipients = recipients + 99, sent = sent + 94, bounced = bounced + 5 WHERE broadcast_id = UNHEX(?)',
      [broadcastId.replaceAll('-', '')],
    );
    const { messages } = await svc.call('email.message.list', { to: 'one@held.example' });
    const report = {
      type: 'bounced',
      kind: 'hard',
      code: '5.1.1',
      detail: 'unknown',
      at: platform.clock.now(),
    } as const;
    const owned = [{ messageId: messages[0]?.messageId ?? '', position: 0, report }];
    await transaction('Test', (context) => recordReports(context, owned));
    expect(await shown(sender, broadcastId)).to.deep.include({ status: 'held', holdReason: 'bounces' });
    expect(await ownRecords(svc, broadcastId)).to.deep.equal(['email.broadcast.pause status=held holdReason=bounces']);
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ held: 1, bounced: 6 });
    mail.smtp.onRecipient = () => null;
    await svc.call('email.broadcast.resume', { broadcastId });
    platform.clock.advance(3_600_000);
    await reached(sender, broadcastId, 'sent');
  });

  it('is held while the mail server has reached its limit for the sender, and goes on when it is resumed', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['one@limit.example', 'two@limit.example']);
    mail.smtp.onMessage = () => ({ code: 550, message: '5.4.5 The daily limit of this account is reached' });
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'held');
    await platform.settled();
    expect(await shown(sender, broadcastId)).to.deep.include({ status: 'held', holdReason: 'sending_limit' });
    expect(await ownRecords(svc, broadcastId)).to.deep.equal([
      'email.broadcast.pause status=held holdReason=sending_limit',
    ]);
    expect((await svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
    mail.smtp.onMessage = () => null;
    await svc.call('email.broadcast.resume', { broadcastId });
    platform.clock.advance(3_600_000);
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ sent: 2, failed: 0 });
  });

  const warnings = (sender: Publisher) =>
    mail.smtp.received.filter(({ recipients }) => recipients.includes(sender.ownerEmail));

  it('is held where its addresses are refused at once because they do not work', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    const addresses = Array.from({ length: 105 }, (_, index) => `r${index}@refused.example`);
    await subscribe(sender, addresses);
    const waiting = ['r102@refused.example', 'r103@refused.example', 'r104@refused.example'];
    mail.smtp.onRecipient = (address) => {
      if (waiting.includes(address)) return { code: 451, message: '4.3.0 later' };
      return /^r\d*[02468]@/.test(address) ? { code: 550, message: '5.1.1 User unknown' } : null;
    };
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'held');
    const held = await shown(sender, broadcastId);
    expect(held.holdReason).to.equal('bounces');
    expect(held.counts).to.deep.include({ recipients: 105, bounced: 0 });
    await eventually(() => warnings(sender).length > 0, 'the owners have a mail');
    expect(warnings(sender)[0]?.parsed.text).to.match(/bounced or were rejected: \d+ of 105\./);
    mail.smtp.onRecipient = () => null;
    await svc.call('email.broadcast.resume', { broadcastId });
    platform.clock.advance(3_600_000);
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts?.failed).to.be.greaterThan(5);
    expect(warnings(sender), 'once').to.have.length(1);
  });

  it('is reported when its last message ends, where fewer than 100 were taken and the refused ones ended before', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['gone@small.example', 'later@small.example']);
    mail.smtp.onRecipient = (address) =>
      address === 'gone@small.example'
        ? { code: 550, message: '5.1.1 User unknown' }
        : address === 'later@small.example'
          ? { code: 451, message: '4.3.0 later' }
          : null;
    const broadcastId = await sendBroadcast(sender);
    await eventually(async () => (await shown(sender, broadcastId)).counts?.failed === 1, 'one was refused');
    await platform.settled();
    expect(warnings(sender), 'one still waits').to.deep.equal([]);
    mail.smtp.onRecipient = () => null;
    platform.clock.advance(3_600_000);
    await reached(sender, broadcastId, 'sent');
    await eventually(() => warnings(sender).length > 0, 'the owners have a mail');
    expect(warnings(sender)[0]?.parsed.text).to.contain('1 of 2');
  });

  it('counts neither refusals for other reasons nor messages that could not be made', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello {% if vip %}{{ seats }}{% endif %}' } });
    await subscribe(sender, ['zoe@other.example'], { properties: { seats: 5 } });
    await subscribe(sender, ['ann@other.example', 'bob@other.example'], { properties: { vip: true } });
    await subscribe(sender, ['policy@other.example', 'full@other.example']);
    mail.smtp.onRecipient = (address) =>
      address === 'policy@other.example'
        ? { code: 550, message: '5.7.1 Blocked' }
        : address === 'full@other.example'
          ? { code: 552, message: '5.2.2 Mailbox full' }
          : null;
    const broadcastId = await sendBroadcast(sender);
    await eventually(async () => (await shown(sender, broadcastId)).counts?.failed === 3, 'all but one have ended');
    // A refusal that is not about the mailbox is final in the second attempt.
    platform.clock.advance(60_000);
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ sent: 1, failed: 4 });
    await platform.settled();
    expect(warnings(sender)).to.deep.equal([]);
    mail.smtp.onRecipient = (address) =>
      address.endsWith('@other.example') ? { code: 550, message: '5.1.1 User unknown' } : null;
    const second = await sendBroadcast(sender, { variables: { seats: 1 } });
    await reached(sender, second, 'sent');
    await eventually(() => warnings(sender).length > 0, 'the owners have a mail of the second one');
  });
});
