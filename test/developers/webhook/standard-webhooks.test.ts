import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import type { ReceivedWebhook } from '#test/support/webhook-receiver.js';
import { answering, deliveriesOf, quiet, rename, useReceivers } from './support.js';

const eventTypes = ['account.theme.draft_saved'];

/** The headers in the form that the library takes. */
const headersOf = ({ headers }: Pick<ReceivedWebhook, 'headers'>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

describe('Standard Webhooks', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  /** Verifies with the public library, at the time of the platform's clock. */
  const verify = (standardSecret: string, webhook: ReceivedWebhook): unknown => {
    const { now } = Date;
    Date.now = () => platform.clock.now().getTime();
    try {
      return new Webhook(standardSecret).verify(webhook.body, headersOf(webhook));
    } finally {
      Date.now = now;
    }
  };

  it('the library standardwebhooks verifies a delivery with standardSecret, and no other', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const made = await svcTest.call('developers.webhook.create', { url: receiver.url, eventTypes });
    expect(made.standardSecret).to.equal(`whsec_${Buffer.from(made.secret).toString('base64')}`);
    await rename(svcTest, 'Zoë 🛒 日本');
    const [webhook] = await receiver.waitFor(1);
    if (!webhook) throw new Error('Expected a delivery.');
    expect(verify(made.standardSecret, webhook)).to.deep.equal(JSON.parse(webhook.body));
    expect(webhook.headers['webhook-id']).to.equal(webhook.event.id);
    expect(() => verify(made.standardSecret, { ...webhook, body: `${webhook.body} ` })).to.throw('No matching');
    const other = { ...webhook, headers: { ...webhook.headers, 'webhook-id': 'other' } };
    expect(() => verify(made.standardSecret, other)).to.throw('No matching');
    expect(() => verify(`whsec_${Buffer.from('other').toString('base64')}`, webhook)).to.throw('No matching');
  });

  it('a retry has the same webhook-id and its own timestamp, and delivery.get shows what was sent', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const { svcTest } = await platform.account();
    const made = await svcTest.call('developers.webhook.create', { url: receiver.url, eventTypes });
    await rename(svcTest, 'Retried');
    await receiver.waitFor(1);
    await quiet(platform);
    platform.clock.advance(60_000);
    const [first, second] = await receiver.waitFor(2);
    if (!first || !second) throw new Error('Expected two deliveries.');
    expect(second.headers['webhook-id']).to.equal(first.headers['webhook-id']);
    expect(Number(second.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp'])).to.equal(60);
    verify(made.standardSecret, second);
    await quiet(platform);
    const [latest] = await deliveriesOf(svcTest, made.endpoint.endpointId);
    const { request } = await svcTest.call('developers.webhook.delivery.get', {
      deliveryId: latest?.deliveryId ?? '',
    });
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const sent = [first, second].find(({ headers }) => headers['svc-delivery-id'] === latest?.deliveryId);
      expect(request.headers[name] ?? 'none', name).to.equal(sent?.headers[name] ?? 'none');
    }
  });

  it('while a rotation lets both secrets sign, the library accepts either, and afterwards only the new one', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const made = await svcTest.call('developers.webhook.create', { url: receiver.url, eventTypes });
    const rotated = await svcTest.call('developers.webhook.secret.rotate', {
      endpointId: made.endpoint.endpointId,
      overlapHours: 24,
    });
    expect(rotated.standardSecret).to.equal(`whsec_${Buffer.from(rotated.secret).toString('base64')}`);
    await rename(svcTest, 'Both');
    const [both] = await receiver.waitFor(1);
    if (!both) throw new Error('Expected a delivery.');
    verify(made.standardSecret, both);
    verify(rotated.standardSecret, both);
    platform.clock.advance(hours(25));
    await rename(svcTest, 'New only');
    const [, after] = await receiver.waitFor(2);
    if (!after) throw new Error('Expected two deliveries.');
    verify(rotated.standardSecret, after);
    expect(() => verify(made.standardSecret, after)).to.throw('No matching');
  });
});
