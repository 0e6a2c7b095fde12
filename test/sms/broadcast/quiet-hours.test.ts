import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import type { ReplyOf } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import { quietNow } from '../quiet-hours/support.js';
import { useTexts, send } from '../support.js';
import { mobile, reached, sendBroadcast, shown, subscribe, texter } from './support.js';

describe('Quiet hours of broadcasts', () => {
  const given = useTexts();
  const { platform } = given;

  const bodiesTo = (number: string): string[] =>
    given.twilio.texts.filter((text) => text.to === number).map(({ body }) => body);

  it('let each text wait for its recipient’s morning; others, single texts among them, leave at once', async () => {
    const account = await texter(platform);
    const { svc } = account;
    await svc.call('sms.settings.set', { quietHours: quietNow(platform, 'Europe/Berlin') });
    // By the number's prefix Berlin; by their own zone far away from it.
    await subscribe(account, [mobile(1)]);
    await subscribe(account, [mobile(2)], { timeZone: 'Pacific/Auckland' });
    const broadcastId = await sendBroadcast(account);
    await eventually(() => bodiesTo(mobile(2)).length === 1, 'the text to Auckland arrived');
    await send(svc, { to: mobile(1), body: 'Your code is 123' });
    await eventually(() => bodiesTo(mobile(1)).length === 1, 'the single text arrived');
    await platform.settled();
    expect((await shown(account, broadcastId)).counts).to.deep.include({ sent: 1, queued: 1 });
    platform.clock.advance(minutes(60));
    await platform.settled();
    expect(bodiesTo(mobile(1))).to.deep.equal(['Your code is 123']);
    platform.clock.advance(minutes(61));
    await reached(account, broadcastId, 'sent');
    expect(bodiesTo(mobile(1))).to.deep.equal(['Your code is 123', 'Sale!']);
  });

  it('show until when a text waits, and nothing of the kind once it has left or they are off', async () => {
    const account = await texter(platform);
    const { svc } = account;
    await svc.call('sms.settings.set', { quietHours: quietNow(platform, 'Europe/Berlin') });
    await subscribe(account, [mobile(31)]);
    const broadcastId = await sendBroadcast(account);
    await platform.settled();
    const listed = async (): Promise<ReplyOf<'sms.message.list'>['messages'][number] | undefined> =>
      (await svc.call('sms.message.list', { broadcastId })).messages[0];
    const waits = await listed();
    const end = new Date(platform.clock.now().getTime() + minutes(120));
    end.setUTCSeconds(0, 0);
    expect(waits).to.include({ status: 'queued', sendAfter: end.toISOString() });
    const got = await svc.call('sms.message.get', { messageId: waits?.messageId ?? '' });
    expect(got.message.sendAfter).to.equal(end.toISOString());
    await svc.call('sms.settings.set', { quietHours: { enabled: false } });
    await reached(account, broadcastId, 'sent');
    expect(await listed()).to.include({ status: 'sent', sendAfter: null });
  });

  it('count as they are set now: texts that wait leave when there are none any more', async () => {
    const account = await texter(platform);
    await account.svc.call('sms.settings.set', { quietHours: quietNow(platform, 'Europe/Berlin') });
    await subscribe(account, [mobile(11)]);
    const broadcastId = await sendBroadcast(account);
    const isDeferred = `due_at > '${platform.clock.now().toISOString().slice(0, 19).replace('T', ' ')}.999'`;
    await eventually(async () => (await platform.count('sms_queue', isDeferred)) >= 1, 'the text waits');
    await account.svc.call('sms.settings.set', { quietHours: { enabled: false } });
    await reached(account, broadcastId, 'sent');
    expect(bodiesTo(mobile(11))).to.deep.equal(['Sale!']);
  });

  it('who opts out during them gets nothing afterwards', async () => {
    const account = await texter(platform);
    await account.svc.call('sms.settings.set', { quietHours: quietNow(platform, 'Europe/Berlin') });
    await subscribe(account, [mobile(21)]);
    const broadcastId = await sendBroadcast(account);
    await platform.settled();
    await account.svc.call('audience.suppression.add', { phone: mobile(21) });
    platform.clock.advance(minutes(121));
    await reached(account, broadcastId, 'sent');
    expect((await shown(account, broadcastId)).counts).to.deep.include({ suppressed: 1, sent: 0 });
    expect(bodiesTo(mobile(21))).to.deep.equal([]);
  });
});
