import { expect } from 'chai';
import type { Api, ReplyOf } from '#test/support/api.js';
import { hours, minutes } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { send, sqlId, useMail } from '#test/email/support.js';
import { addMember, auditOf, eventNames, keyOf } from './support.js';

const reason = 'We moved to another deployment.';

describe('account.reopen', () => {
  const mail = useMail({ optional: true });
  const { platform } = mail;
  const inHours = (n: number): string => new Date(platform.clock.now().getTime() + hours(n)).toISOString();
  const shown = async (svc: Api, messageId: string): Promise<ReplyOf<'email.message.get'>> => {
    await platform.settled();
    return svc.call('email.message.get', { messageId });
  };

  it('reopens the account, with an event and an audit record', async () => {
    const { svc, live, accountId } = await platform.account();
    const { account: before } = await svc.call('account.get', {});
    await svc.call('account.close', { reason });
    const { activityId, result } = await svc.envelope('account.reopen', {});
    expect(result.account).to.deep.equal(before);
    expect((await platform.events(live)).at(-1)).to.deep.equal({
      type: 'account.reopened',
      subjectId: accountId,
      activityId,
      data: result,
    });
    expect(await auditOf(platform, activityId)).to.include({ operation: 'account.reopen', subjectId: accountId });
  });

  itNeeding('email')('lets the account send again', async () => {
    const { svc } = await platform.account();
    await svc.call('account.close', { reason });
    await svc.call('account.reopen', {});
    expect((await send(svc)).status).to.equal('queued');
    await svc.call('account.close', { reason });
  });

  it('answers the same when the account is open, with an audit record and no event', async () => {
    const { svc, live } = await platform.account();
    const { account } = await svc.call('account.get', {});
    const { activityId, result } = await svc.envelope('account.reopen', {});
    expect(result).to.deep.equal({ account });
    expect((await auditOf(platform, activityId)).operation).to.equal('account.reopen');
    expect(await eventNames(platform, live)).not.to.include('account.reopened');
  });

  it('can be called by owners only', async () => {
    const account = await platform.account();
    await account.svc.call('account.close', { reason });
    const { id } = await addMember(platform, account, { role: 'admin' });
    const admin = await keyOf(platform, account, { role: 'admin', memberId: id, environment: account.live });
    expect(await admin.refusal('account.reopen', {})).to.include({ status: 403, code: 'owner_only' });
    expect((await account.svc.call('account.get', {})).account.closedAt).to.be.a('string');
  });

  it('needs a key of a live environment, as closing does', async () => {
    const { svc, svcTest } = await platform.account();
    await svc.call('account.close', { reason });
    expect(await svcTest.refusal('account.reopen', {})).to.include({ status: 403, code: 'live_only' });
    expect((await svc.call('account.get', {})).account.closedAt).to.be.a('string');
  });

  itNeeding('email')('sends what the closure held for less than a day', async () => {
    const { svc, live } = await platform.account();
    const { messageId } = await send(svc, { sendAfter: inHours(1) });
    platform.clock.advance(hours(1) - 1);
    await svc.call('account.close', { reason });
    platform.clock.advance(hours(24));
    expect((await shown(svc, messageId)).message.status).to.equal('held');
    await svc.call('account.reopen', {});
    await mail.mailOf(messageId);
    expect((await shown(svc, messageId)).message.status).to.equal('sent');
    expect((await eventNames(platform, live)).filter((name) => name.startsWith('email.'))).to.deep.equal([
      'email.queued',
      'email.sent',
    ]);
  });

  itNeeding('email')('cancels what it held for a day or more, with an event for each', async () => {
    const { svc, live } = await platform.account();
    const held = [await send(svc, { sendAfter: inHours(1) }), await send(svc, { sendAfter: inHours(2) })];
    await svc.call('account.close', { reason });
    platform.clock.advance(hours(26));
    await svc.call('account.reopen', {});
    for (const { messageId } of held) {
      const { message, recipients } = await shown(svc, messageId);
      expect(message).to.include({ status: 'cancelled', sentAt: null });
      expect(recipients.map(({ status }) => status)).to.deep.equal(['cancelled']);
      expect(mail.arrivalsOf(messageId)).to.deep.equal([]);
      const events = (await platform.events(live)).filter(({ subjectId }) => subjectId === messageId);
      expect(events.map(({ type }) => type)).to.deep.equal(['email.queued', 'email.cancelled']);
      expect(events[1]?.data).to.deep.equal({ message });
    }
    expect(await platform.count('email_queue', `partition_id = ${sqlId(live.id)}`)).to.equal(0);
    const { messageId } = await send(svc);
    await mail.mailOf(messageId);
  });

  itNeeding('email')('counts from a message’s due time: messages that become due later are not cancelled', async () => {
    const { svc } = await platform.account();
    const during = await send(svc, { sendAfter: inHours(10) });
    const afterwards = await send(svc, { sendAfter: inHours(40) });
    await svc.call('account.close', { reason });
    platform.clock.advance(hours(33));
    await svc.call('account.reopen', {});
    expect((await shown(svc, during.messageId)).message.status, 'held for 23 hours').to.equal('sent');
    expect((await shown(svc, afterwards.messageId)).message.status).to.equal('queued');
    platform.clock.advance(hours(7));
    expect((await shown(svc, afterwards.messageId)).message.status).to.equal('sent');
  });

  itNeeding('email')(
    'cancels for the recipients that are left, and counts a message as sent that some have received',
    async () => {
      const { svc } = await platform.account();
      mail.smtp.onRecipient = (address) => (address.startsWith('later') ? { code: 450, message: 'later' } : null);
      const { messageId } = await send(svc, { to: ['now@example.com', 'later@example.com'] });
      await platform.settled();
      mail.smtp.onRecipient = () => null;
      await svc.call('account.close', { reason });
      platform.clock.advance(hours(25));
      await svc.call('account.reopen', {});
      const { message, recipients } = await shown(svc, messageId);
      expect(message.status).to.equal('sent');
      expect(recipients.map(({ status }) => status)).to.deep.equal(['sent', 'cancelled']);
      expect(mail.arrivalsOf(messageId)).to.have.length(1);
    },
  );

  itNeeding('email')('erases the content of invitations that it cancels', async () => {
    const { svc, live } = await platform.account();
    mail.smtp.onRecipient = () => ({ code: 450, message: 'later' });
    await svc.call('account.member.invite', { email: 'guest@example.com' });
    await platform.settled();
    mail.smtp.onRecipient = () => null;
    const messageId = (await platform.events(live)).find(({ type }) => type === 'email.queued')?.subjectId ?? '';
    await svc.call('account.close', { reason });
    platform.clock.advance(hours(25));
    expect(await platform.count('email_content', `id = ${sqlId(messageId)}`)).to.equal(1);
    await svc.call('account.reopen', {});
    expect((await shown(svc, messageId)).message.status).to.equal('cancelled');
    expect(await platform.count('email_content', `id = ${sqlId(messageId)}`)).to.equal(0);
  });

  itNeeding('email')('uses only the last closure: an earlier, long one does not cancel later mail', async () => {
    const { svc } = await platform.account();
    await svc.call('account.close', { reason });
    platform.clock.advance(hours(48));
    await svc.call('account.reopen', {});
    const { messageId } = await send(svc, { sendAfter: inHours(1) });
    await svc.call('account.close', { reason });
    platform.clock.advance(hours(2));
    await svc.call('account.reopen', {});
    platform.clock.advance(minutes(1));
    expect((await shown(svc, messageId)).message.status).to.equal('sent');
  });
});
