import { expect } from 'chai';
import { verifyWebhook } from '#core/surfaces/sdk/verify-webhook.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { startWebhookReceiver } from '#test/support/webhook-receiver.js';
import { rename } from './support.js';

describe('Webhook deliveries', () => {
  const platform = usePlatform();

  it('reach the endpoint signed, and link event, audit record and delivery', async () => {
    const receiver = await startWebhookReceiver();
    const { svcTest } = await platform.account();
    await platform.settled();
    const { endpoint, secret } = await svcTest.call('developers.webhook.create', {
      url: `${receiver.url}/hook`,
      eventTypes: ['account.*'],
    });
    const activityId = await rename(svcTest, 'Renamed');
    const [webhook] = await receiver.waitFor(1);
    expect(webhook?.event).to.include({ type: 'account.theme.draft_saved', activityId, environment: 'test' });
    const header = String(webhook?.headers['svc-signature']);
    expect(header).to.match(/^t=\d{1,12},v1=[0-9a-f]{64}$/);
    verifyWebhook(webhook?.body ?? '', header, secret, { now: platform.clock.now().getTime() });
    await platform.settled();
    const { event, deliveries } = await svcTest.call('developers.event.get', { eventId: webhook?.event.id ?? '' });
    expect(JSON.stringify(event)).to.equal(webhook?.body);
    expect(deliveries).to.have.length(1);
    expect(deliveries[0]).to.include({
      endpointId: endpoint.endpointId,
      status: 'delivered',
      attempt: 1,
      responseStatus: 204,
    });
    await receiver.close();
  });

  itNeeding('audience')('go on while the account is closed', async () => {
    const receiver = await startWebhookReceiver();
    const { svc, svcTest } = await platform.account();
    await svcTest.call('developers.webhook.create', { url: receiver.url, eventTypes: ['audience.*'] });
    await svc.call('account.close', { reason: 'Moved.' });
    await svcTest.call('audience.contact.upsert', { email: 'ada@example.com' });
    const [webhook] = await receiver.waitFor(1);
    expect(webhook?.event.type).to.equal('audience.contact.created');
    await receiver.close();
  });

  it('are attempted seven times on schedule, then are dead and can be replayed', async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer = (_, response) => void response.writeHead(500).end('no');
    const { svcTest } = await platform.account();
    const { endpoint } = await svcTest.call('developers.webhook.create', {
      url: receiver.url,
      eventTypes: ['account.theme.draft_saved'],
    });
    await rename(svcTest, 'Renamed');
    for (const [index, wait] of [1, 5, 30, 120, 720, 1_440].entries()) {
      await receiver.waitFor(index + 1);
      await platform.settled();
      platform.clock.advance(minutes(wait) - 1);
      await platform.settled();
      expect(receiver.received).to.have.length(index + 1);
      platform.clock.advance(1);
    }
    await receiver.waitFor(7);
    await platform.settled();
    const { deliveries } = await svcTest.call('developers.webhook.deliveries.list', {
      endpointId: endpoint.endpointId,
    });
    expect(deliveries.map(({ status }) => status)).to.deep.equal([
      'dead',
      'failed',
      'failed',
      'failed',
      'failed',
      'failed',
      'failed',
    ]);
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).to.equal(1);
    receiver.answer = (_, response) => void response.writeHead(200).end();
    expect(
      await svcTest.call('developers.webhook.deliveries.replay', { endpointId: endpoint.endpointId }),
    ).to.deep.equal({ replayed: 1 });
    await receiver.waitFor(8);
    await receiver.close();
  });

  itNeeding('email')('return the endpoint’s response to a test', async () => {
    const receiver = await startWebhookReceiver();
    receiver.answer = (_, response) => void response.writeHead(418).end('teapot');
    const { svcTest } = await platform.account();
    const { endpoint } = await svcTest.call('developers.webhook.create', { url: receiver.url });
    await platform.settled();
    const { delivery } = await svcTest.call('developers.webhook.test', {
      endpointId: endpoint.endpointId,
      eventType: 'email.sent',
    });
    expect(delivery).to.include({ eventType: 'developers.webhook.test', status: 'failed', responseStatus: 418 });
    const shown = await svcTest.call('developers.webhook.delivery.get', { deliveryId: delivery.deliveryId });
    expect(shown.response?.body).to.equal('teapot');
    await receiver.close();
  });
});
