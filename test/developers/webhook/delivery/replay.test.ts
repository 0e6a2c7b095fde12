import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { auditOf, refusalBody } from '#test/account/support.js';
import { usePlatform } from '#test/support/platform.js';
import {
  answering,
  deliveriesOf,
  endpointAt,
  failedDelivery,
  rename,
  untilDead,
  useReceivers,
  written,
  quiet,
} from '../support.js';

describe('developers.webhook.delivery.replay', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('sends a failed delivery again immediately, as a new attempt of the same event, with an event and an audit record', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    const { svcTest } = account;
    const { endpointId, delivery } = await failedDelivery(platform, svcTest, receiver);
    receiver.answer = answering(204);
    const { deliveryId } = delivery;
    const { activityId, result } = await svcTest.envelope('developers.webhook.delivery.replay', { deliveryId });
    expect(result.delivery).to.deep.equal({
      ...delivery,
      deliveryId: result.delivery.deliveryId,
      attempt: 1,
      status: 'queued',
      responseStatus: null,
      error: null,
      durationMs: null,
      attemptedAt: null,
      nextAttemptAt: null,
      scheduledAt: platform.clock.now().toISOString(),
      replayOf: deliveryId,
    });
    const [, again] = await receiver.waitFor(2);
    await quiet(platform);
    expect(again?.event.id).to.equal(delivery.eventId);
    expect(again?.headers['svc-delivery-id']).to.equal(result.delivery.deliveryId);
    const [done] = await deliveriesOf(svcTest, endpointId, 'delivered');
    expect(done).to.include({ deliveryId: result.delivery.deliveryId, replayOf: deliveryId, attempt: 1 });
    const subjectId = result.delivery.deliveryId;
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'developers.webhook.delivery.replay',
      subjectId,
    });
    expect((await platform.events(account.test)).at(-1)).to.deep.equal({
      type: 'developers.webhook.replayed',
      subjectId,
      activityId,
      data: { delivery: result.delivery },
    });
  });

  it('gives a dead delivery seven new attempts and keeps the old delivery readable', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await failedDelivery(platform, svcTest, receiver);
    await untilDead(platform);
    const [dead] = await deliveriesOf(svcTest, endpointId, 'dead');
    expect(receiver.received).to.have.length(7);
    await svcTest.call('developers.webhook.delivery.replay', { deliveryId: dead?.deliveryId ?? '' });
    await receiver.waitFor(8);
    await untilDead(platform);
    expect(receiver.received).to.have.length(14);
    const both = await deliveriesOf(svcTest, endpointId, 'dead');
    expect(both.map(({ attempt }) => attempt)).to.deep.equal([7, 7]);
    expect(both[1]).to.deep.equal(dead);
    expect(both[0]?.replayOf).to.equal(dead?.deliveryId);
  });

  it('tries a delivery now that waits for its next attempt, alone or with all of its endpoint', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await failedDelivery(platform, svcTest, receiver);
    const [waiting] = await deliveriesOf(svcTest, endpointId, 'queued');
    const now = platform.clock.now().toISOString();
    const { delivery } = await svcTest.call('developers.webhook.delivery.replay', {
      deliveryId: waiting?.deliveryId ?? '',
    });
    expect(delivery).to.deep.equal({ ...waiting, scheduledAt: now });
    await receiver.waitFor(2);
    await quiet(platform);

    // It failed again, so the third attempt waits. It is repaired.
    receiver.answer = answering(204);
    const other = await svcTest.call('developers.webhook.deliveries.replay', { endpointId });
    expect(other).to.deep.equal({ replayed: 0 });
    const types = { endpointId, waiting: true, eventTypes: ['account.updated'] };
    expect(await svcTest.call('developers.webhook.deliveries.replay', types)).to.deep.equal({
      replayed: 0,
    });
    const all = await svcTest.call('developers.webhook.deliveries.replay', { endpointId, waiting: true });
    expect(all).to.deep.equal({ replayed: 1 });
    await receiver.waitFor(3);
    await quiet(platform);
    expect((await deliveriesOf(svcTest, endpointId, 'delivered')).map(({ attempt }) => attempt)).to.deep.equal([3]);
    expect(await deliveriesOf(svcTest, endpointId, 'queued')).to.deep.equal([]);
  });

  it('refuses delivered ones and those of a disabled endpoint, and writes nothing', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    const { svcTest } = account;
    const { endpointId, delivery } = await failedDelivery(platform, svcTest, receiver);
    const replayed = async (deliveryId: string | undefined) => {
      const before = await written(platform, account);
      const refusal = await svcTest.refusal('developers.webhook.delivery.replay', { deliveryId });
      expect(await written(platform, account)).to.deep.equal(before);
      return refusal;
    };
    const [retry] = await deliveriesOf(svcTest, endpointId, 'queued');
    await svcTest.call('developers.webhook.disable', { endpointId });
    await quiet(platform);
    expect(await replayed(retry?.deliveryId)).to.include({ code: 'endpoint_disabled', status: 409 });
    expect(await replayed(delivery.deliveryId)).to.include({ code: 'endpoint_disabled', status: 409 });

    receiver.answer = answering(204);
    await endpointAt(svcTest, receiver);
    await rename(svcTest, 'Goes through');
    await receiver.waitFor(2);
    await quiet(platform);
    const delivered = (await svcTest.call('developers.webhook.deliveries.list', { status: 'delivered' })).deliveries[0];
    const ofDelivered = await replayed(delivered?.deliveryId);
    expect(ofDelivered).to.include({ code: 'delivery_not_replayable', status: 409 });
    expect(ofDelivered.message).to.contain('delivered');
  });

  it('answers not_found for unknown ids and for those of other environments', async () => {
    const receiver = await receiverOf();
    const { svc, svcTest } = await platform.account();
    const { delivery } = await failedDelivery(platform, svcTest, receiver);
    const ofNobody = await svc.refusal('developers.webhook.delivery.replay', { deliveryId: newId() });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    const { deliveryId } = delivery;
    expect(refusalBody(await svc.refusal('developers.webhook.delivery.replay', { deliveryId }))).to.deep.equal(
      refusalBody(ofNobody),
    );
    expect(receiver.received).to.have.length(1);
  });
});
