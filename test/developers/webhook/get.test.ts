import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { refusalBody } from '#test/account/support.js';
import { minutes, seconds } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, endpointAt, rename, untilDead, useReceivers, quiet } from './support.js';

describe('developers.webhook.get', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('shows an endpoint that was never called, with empty health', async () => {
    const { svc } = await platform.account();
    const { endpoint } = await svc.call('developers.webhook.create', {
      url: 'https://127.0.0.1:1/',
      eventTypes: ['account.*'],
    });
    expect(await svc.call('developers.webhook.get', { endpointId: endpoint.endpointId })).to.deep.equal({
      endpoint,
      health: {
        delivered: 0,
        failed: 0,
        dead: 0,
        queued: 0,
        lastDeliveredAt: null,
        lastFailedAt: null,
        failingSince: null,
        medianDurationMs: null,
      },
    });
  });

  it('counts deliveries by status, and shows when the last succeeded and failed', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    await rename(svcTest, 'Well');
    await rename(svcTest, 'Well again');
    await receiver.waitFor(2);
    await quiet(platform);
    const deliveredAt = platform.clock.now().toISOString();
    platform.clock.advance(seconds(10));
    receiver.answer = answering(500);
    await rename(svcTest, 'Ill');
    await receiver.waitFor(3);
    await quiet(platform);
    const failingSince = platform.clock.now().toISOString();
    await untilDead(platform);
    const failedAt = platform.clock.now().toISOString();
    const failing = await svcTest.call('developers.webhook.get', { endpointId });
    expect(failing.health.failingSince).to.equal(failingSince);
    platform.clock.advance(minutes(1));
    await svcTest.call('developers.webhook.disable', { endpointId });
    await rename(svcTest, 'Queued');
    await quiet(platform);
    const { health } = await svcTest.call('developers.webhook.get', { endpointId });
    expect(health).to.deep.include({ delivered: 2, failed: 6, dead: 1, queued: 1 });
    expect(health).to.deep.include({ lastDeliveredAt: deliveredAt, lastFailedAt: failedAt, failingSince: null });
    expect(health.medianDurationMs).to.be.within(0, 15_000);
  });

  it('takes the last success by its attempt time, not by when it was planned', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    receiver.answer = answering(500);
    await rename(svcTest, 'Fails at first');
    await receiver.waitFor(1);
    await quiet(platform);
    receiver.answer = answering(204);
    platform.clock.advance(seconds(30));
    await rename(svcTest, 'Goes through at once');
    await receiver.waitFor(2);
    await quiet(platform);
    platform.clock.advance(seconds(30));
    await receiver.waitFor(3);
    await quiet(platform);
    const { health } = await svcTest.call('developers.webhook.get', { endpointId });
    expect(health.lastDeliveredAt).to.equal(platform.clock.now().toISOString());
  });

  it('answers not_found for unknown ids and for those of other environments', async () => {
    const { svc, svcTest } = await platform.account();
    const { endpoint } = await svc.call('developers.webhook.create', { url: 'https://127.0.0.1:1/' });
    const ofNobody = await svcTest.refusal('developers.webhook.get', { endpointId: newId() });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    const { endpointId } = endpoint;
    expect(refusalBody(await svcTest.refusal('developers.webhook.get', { endpointId }))).to.deep.equal(
      refusalBody(ofNobody),
    );
  });
});
