import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { refusalBody } from '#test/account/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, endpointAt, quiet, rename, useReceivers } from '#test/developers/webhook/support.js';

describe('developers.event.get', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('links the call’s audit record, its event and the deliveries, in both directions', async () => {
    const [well, ill] = [await receiverOf(), await receiverOf()];
    ill.answer = answering(500);
    const { svcTest } = await platform.account();
    const good = await endpointAt(svcTest, well);
    const bad = await endpointAt(svcTest, ill);
    const activityId = await rename(svcTest, 'Renamed');
    await quiet(platform);
    platform.clock.advance(minutes(1));
    await ill.waitFor(2);
    await quiet(platform);
    const { activity, events } = await svcTest.call('account.activity.get', { activityId });
    expect(activity.operation).to.equal('account.theme.draft.save');
    const [event] = events;
    expect(event).to.deep.include({ type: 'account.theme.draft_saved', activityId });
    const shown = await svcTest.call('developers.event.get', { eventId: event?.id ?? '' });
    expect(shown.event).to.deep.equal(event);
    expect(shown.deliveries.map(({ attempt, status }) => `${attempt} ${status}`)).to.have.members([
      '1 delivered',
      '1 failed',
      '2 failed',
      '3 queued',
    ]);
    const ids = shown.deliveries.map(({ deliveryId }) => deliveryId);
    expect(ids).to.deep.equal([...ids].sort());
    expect(new Set(shown.deliveries.map(({ endpointId }) => endpointId))).to.deep.equal(
      new Set([good.endpointId, bad.endpointId]),
    );
    for (const delivery of shown.deliveries) {
      const { deliveryId, eventId } = delivery;
      const back = await svcTest.call('developers.webhook.delivery.get', { deliveryId });
      expect(back.delivery).to.deep.equal(delivery);
      expect(eventId).to.equal(event?.id);
      expect(JSON.parse(back.request.body)).to.deep.equal(event);
    }
  });

  it('shows an event that matched no endpoint, with no deliveries', async () => {
    const { svc } = await platform.account();
    await rename(svc, 'Unheard');
    await platform.settled();
    const [event] = (await svc.call('developers.event.list', {})).events;
    const shown = await svc.call('developers.event.get', { eventId: event?.id ?? '' });
    expect(shown).to.deep.equal({ event, deliveries: [] });
  });

  it('answers not_found for unknown ids and for those of other environments', async () => {
    const { svc, svcTest } = await platform.account();
    await rename(svc, 'In live');
    await platform.settled();
    const [event] = (await svc.call('developers.event.list', {})).events;
    const ofNobody = await svcTest.refusal('developers.event.get', { eventId: newId() });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    const elsewhere = await svcTest.refusal('developers.event.get', { eventId: event?.id ?? '' });
    expect(refusalBody(elsewhere)).to.deep.equal(refusalBody(ofNobody));
  });
});
