import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { send, shown, useTexts } from '../support.js';

describe('sms.message.cancel', () => {
  const texts = useTexts();
  const { platform } = texts;
  const inAnHour = (): string => new Date(platform.clock.now().getTime() + hours(1)).toISOString();

  it('cancels a queued text: it is never sent; a repeat answers as done with no event', async () => {
    const { svc, live } = await platform.account();
    const { messageId } = await send(svc, { sendAfter: inAnHour() });
    const { result, activityId } = await svc.envelope('sms.message.cancel', { messageId });
    expect(result.message).to.include({ status: 'cancelled', price: null });
    expect((await svc.call('sms.message.cancel', { messageId })).message).to.deep.equal(result.message);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(texts.arrivalsOf(messageId)).to.deep.equal([]);
    const events = (await platform.events(live)).filter(({ subjectId }) => subjectId === messageId);
    expect(events.map(({ type }) => type)).to.deep.equal(['sms.queued', 'sms.cancelled']);
    expect(events[1]).to.include({ activityId });
  });

  it('races delivery: a text is cancelled or sent, never both', async () => {
    const { svc } = await platform.account();
    const sendAfter = inAnHour();
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await send(svc, { sendAfter })).messageId));
    platform.clock.advance(hours(1));
    const ends = await Promise.all(
      ids.map((messageId) => svc.raw('/sms/message/cancel', JSON.stringify({ messageId }))),
    );
    await platform.settled();
    for (const [index, messageId] of ids.entries()) {
      const cancelled = ends[index]?.status === 200;
      if (!cancelled) expect(ends[index]?.text).to.contain('message_not_cancellable');
      expect((await shown(svc, messageId)).status).to.equal(cancelled ? 'cancelled' : 'sent');
      expect(texts.arrivalsOf(messageId)).to.have.length(cancelled ? 0 : 1);
    }
  });

  it('refuses texts that have ended, and those of other environments', async () => {
    const { svc, svcTest } = await platform.account();
    const { messageId } = await send(svc);
    await platform.settled();
    const refused = await svc.refusal('sms.message.cancel', { messageId });
    expect(refused).to.include({ status: 409, code: 'message_not_cancellable' });
    expect(refused.message).to.contain('is sent');
    expect(await svcTest.refusal('sms.message.cancel', { messageId })).to.include({ status: 404, code: 'not_found' });
  });
});
