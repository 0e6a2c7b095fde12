import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { refusalBody } from '#test/account/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, deliveriesOf, endpointAt, failedDelivery, rename, useReceivers, quiet } from '../support.js';

describe('developers.webhook.delivery.get', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('shows the exact request and the response', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(201, 'thanks ✓', { 'X-Trace': 'a', 'Set-Cookie': 'b=1', 'Retry-After': '7' });
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    await rename(svcTest, 'Zoë 🛒');
    const [webhook] = await receiver.waitFor(1);
    await quiet(platform);
    const [delivery] = await deliveriesOf(svcTest, endpointId);
    const shown = await svcTest.call('developers.webhook.delivery.get', { deliveryId: delivery?.deliveryId ?? '' });
    expect(shown.delivery).to.deep.equal(delivery);
    expect(shown.attempts).to.deep.equal([delivery]);
    expect(shown.request.body).to.equal(webhook?.body);
    const sent = Object.entries(shown.request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(webhook?.headers).to.include(Object.fromEntries(sent));
    expect(Object.keys(shown.request.headers)).to.include.members(['Svc-Signature', 'Svc-Event-Id', 'Svc-Delivery-Id']);
    expect(shown.response).to.deep.include({ status: 201, body: 'thanks ✓' });
    expect(shown.response?.headers).to.include({ 'x-trace': 'a', 'set-cookie': 'b=1', 'retry-after': '7' });
  });

  it('shows every attempt of a delivery from each of them, oldest first', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId, delivery } = await failedDelivery(platform, svcTest, receiver);
    receiver.answer = answering(204);
    platform.clock.advance(minutes(1));
    await receiver.waitFor(2);
    await quiet(platform);
    const [second, first] = await deliveriesOf(svcTest, endpointId);
    expect(first).to.deep.equal(delivery);
    expect(second).to.deep.include({
      attempt: 2,
      status: 'delivered',
      eventId: first?.eventId,
      scheduledAt: first?.nextAttemptAt,
      replayOf: null,
    });
    for (const each of [first, second]) {
      const { attempts } = await svcTest.call('developers.webhook.delivery.get', {
        deliveryId: each?.deliveryId ?? '',
      });
      expect(attempts).to.deep.equal([first, second]);
    }
  });

  it('shows a delivery that was not attempted yet without signature and response', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    await svcTest.call('developers.webhook.disable', { endpointId });
    await rename(svcTest, 'Waiting');
    await quiet(platform);
    const [delivery] = await deliveriesOf(svcTest, endpointId);
    expect(delivery).to.include({ status: 'queued', attemptedAt: null, durationMs: null, responseStatus: null });
    const { request, response } = await svcTest.call('developers.webhook.delivery.get', {
      deliveryId: delivery?.deliveryId ?? '',
    });
    expect(request.headers).not.to.have.property('Svc-Signature');
    expect(JSON.parse(request.body)).to.include({ id: delivery?.eventId, type: 'account.theme.draft_saved' });
    expect(response).to.equal(null);
  });

  it('shows a leased delivery as delivering', async () => {
    const receiver = await receiverOf();
    const held: (() => void)[] = [];
    receiver.answer = (_, response) => void held.push(() => response.writeHead(204).end());
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    await rename(svcTest, 'Under way');
    await receiver.waitFor(1);
    const [delivery] = await deliveriesOf(svcTest, endpointId, 'delivering');
    expect(delivery).to.include({ status: 'delivering', attempt: 1 });
    expect(await deliveriesOf(svcTest, endpointId, 'queued')).to.deep.equal([]);
    const input = { deliveryId: delivery?.deliveryId ?? '' };
    expect((await svcTest.call('developers.webhook.delivery.get', input)).delivery).to.deep.equal(delivery);
    const refusal = await svcTest.refusal('developers.webhook.delivery.replay', input);
    expect(refusal).to.include({ code: 'delivery_not_replayable', status: 409 });
    expect(refusal.message).to.contain('delivering');
    held.forEach((end) => end());
    await quiet(platform);
    expect((await deliveriesOf(svcTest, endpointId)).map(({ status }) => status)).to.deep.equal(['delivered']);
  });

  it('answers not_found for unknown ids and for those of other environments', async () => {
    const receiver = await receiverOf();
    const { svc, svcTest } = await platform.account();
    const { delivery } = await failedDelivery(platform, svcTest, receiver);
    const ofNobody = await svc.refusal('developers.webhook.delivery.get', { deliveryId: newId() });
    expect(ofNobody).to.include({ code: 'not_found', status: 404 });
    const { deliveryId } = delivery;
    expect(refusalBody(await svc.refusal('developers.webhook.delivery.get', { deliveryId }))).to.deep.equal(
      refusalBody(ofNobody),
    );
  });
});
