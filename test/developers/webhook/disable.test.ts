import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { auditOf, refusalBody } from '#test/account/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, deliveriesOf, endpointAt, failedDelivery, rename, useReceivers, quiet } from './support.js';

const url = 'https://127.0.0.1:1/svc';

describe('developers.webhook.disable', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('stops deliveries immediately and keeps endpoint, history and queue', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId, delivery } = await failedDelivery(platform, svcTest, receiver);
    await svcTest.call('developers.webhook.disable', { endpointId });
    await rename(svcTest, 'While it is off');
    platform.clock.advance(minutes(10));
    await quiet(platform);
    expect(receiver.received).to.have.length(1);
    const statuses = (await deliveriesOf(svcTest, endpointId)).map(({ status, attempt }) => `${attempt} ${status}`);
    expect(statuses).to.deep.equal(['1 queued', '2 queued', '1 failed']);
    const shown = await svcTest.call('developers.webhook.delivery.get', { deliveryId: delivery.deliveryId });
    expect(shown.response?.status).to.equal(500);
  });

  it('does not affect other endpoints of the environment', async () => {
    const [off, on] = [await receiverOf(), await receiverOf()];
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, off);
    await endpointAt(svcTest, on);
    await svcTest.call('developers.webhook.disable', { endpointId });
    await rename(svcTest, 'Half');
    await on.waitFor(1);
    await quiet(platform);
    expect(off.received).to.deep.equal([]);
  });

  it('writes one event; a repeat succeeds and writes only an audit record', async () => {
    const account = await platform.account();
    const { endpoint } = await account.svc.call('developers.webhook.create', { url });
    const { endpointId } = endpoint;
    platform.clock.advance(minutes(1));
    const first = await account.svc.envelope('developers.webhook.disable', { endpointId });
    const disabled = { ...endpoint, status: 'disabled', updatedAt: platform.clock.now().toISOString() };
    expect(first.result).to.deep.equal({ endpoint: disabled });
    expect(await auditOf(platform, first.activityId)).to.deep.include({
      operation: 'developers.webhook.disable',
      subjectId: endpointId,
      changes: [{ field: 'status', from: 'enabled', to: 'disabled' }],
    });
    const events = await platform.events(account.live);
    expect(events.at(-1)).to.deep.equal({
      type: 'developers.webhook.disabled',
      subjectId: endpointId,
      activityId: first.activityId,
      data: { endpoint: disabled },
    });
    platform.clock.advance(minutes(1));
    const second = await account.svc.envelope('developers.webhook.disable', { endpointId });
    expect(second.result).to.deep.equal(first.result);
    expect(second.activityId).not.to.equal(first.activityId);
    expect(await auditOf(platform, second.activityId)).to.deep.include({ changes: [] });
    expect(await platform.events(account.live)).to.deep.equal(events);
  });

  it('answers not_found for unknown ids and for those of other environments', async () => {
    const account = await platform.account();
    const { endpoint } = await account.svc.call('developers.webhook.create', { url });
    const { endpointId } = endpoint;
    const ofNobody = await account.svcTest.refusal('developers.webhook.disable', { endpointId: newId() });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    const ofLive = await account.svcTest.refusal('developers.webhook.disable', { endpointId });
    expect(refusalBody(ofLive)).to.deep.equal(refusalBody(ofNobody));
    const { status } = (await account.svc.call('developers.webhook.get', { endpointId })).endpoint;
    expect(status).to.equal('enabled');
  });

  it('also stops the retries of replayed deliveries', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId, delivery } = await failedDelivery(platform, svcTest, receiver);
    receiver.answer = answering(503);
    await svcTest.call('developers.webhook.delivery.replay', { deliveryId: delivery.deliveryId });
    await receiver.waitFor(2);
    await quiet(platform);
    await svcTest.call('developers.webhook.disable', { endpointId });
    platform.clock.advance(minutes(60));
    await quiet(platform);
    expect(receiver.received).to.have.length(2);
  });
});
