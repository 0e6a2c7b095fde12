import { expect } from 'chai';
import { attempt } from '#plugins/developers/deliveries/attempt.js';
import { loadDeliveries } from '#plugins/developers/deliveries/load.js';
import { createHttpClient, type HttpClient } from '#core/runtime/http-client/client.js';
import type { WebhookReceiver } from '#test/support/webhook-receiver.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, deliveriesOf, endpointAt, quiet, rename, useReceivers, type Delivery } from './support.js';

describe('The response of an endpoint', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  /** The outcome of one delivery to a receiver with this answer. */
  async function outcomeOf(
    answer: WebhookReceiver['answer'],
  ): Promise<{ delivery: Delivery; body: string; headers: object }> {
    const receiver = await receiverOf();
    receiver.answer = answer;
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    await rename(svcTest, `Renamed ${endpointId}`);
    await receiver.waitFor(1);
    await quiet(platform);
    const [delivery] = (await deliveriesOf(svcTest, endpointId)).filter(({ attempt: nth }) => nth === 1);
    if (!delivery) throw new Error('Expected a delivery.');
    const { response } = await svcTest.call('developers.webhook.delivery.get', { deliveryId: delivery.deliveryId });
    return { delivery, body: response?.body ?? '', headers: response?.headers ?? {} };
  }

  it('completes the delivery when it is a 2xx', async () => {
    for (const status of [200, 201, 202, 204, 206, 299]) {
      const { delivery } = await outcomeOf(answering(status));
      expect(delivery).to.include({ status: 'delivered', responseStatus: status, error: null, nextAttemptAt: null });
    }
  });

  it('fails the delivery when it is anything else', async () => {
    for (const status of [304, 400, 401, 404, 429, 500, 503]) {
      const { delivery } = await outcomeOf(answering(status));
      expect(delivery).to.include({ status: 'failed', responseStatus: status });
      expect(delivery.error).to.contain(`answered ${status}`);
    }
    const { delivery } = await outcomeOf((_, response) => void response.destroy());
    expect(delivery).to.include({ status: 'failed', responseStatus: null });
    expect(delivery.error).to.match(/^protocol: /);
  });

  it('is not followed when it is a redirect', async () => {
    const inside = await receiverOf();
    for (const status of [301, 302, 303, 307, 308]) {
      const { delivery } = await outcomeOf(answering(status, '', { Location: `${inside.url}/admin` }));
      expect(delivery).to.include({ status: 'failed', responseStatus: status });
      expect(delivery.error).to.contain('redirects are not followed');
    }
    expect(inside.received).to.deep.equal([]);
  });

  it('is stored up to 4 KiB of body and 4 KiB of headers', async () => {
    const { delivery, body } = await outcomeOf(answering(200, 'x'.repeat(100_000)));
    expect(delivery.status).to.equal('delivered');
    expect(body).to.equal('x'.repeat(4_096));
    const large = await outcomeOf(answering(200, 'ok', { 'X-Large': 'h'.repeat(5_000) }));
    expect([large.delivery.status, large.headers, large.body]).to.deep.equal(['delivered', {}, 'ok']);
  });

  it('is read up to 4 KiB when it never ends, and the connection is closed', async () => {
    let closed = false;
    const { delivery, body } = await outcomeOf((_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('y'.repeat(16_384)));
      };
      response.on('drain', more).on('close', () => (closed = true));
      more();
    });
    expect(delivery.status).to.equal('delivered');
    expect(body).to.equal('y'.repeat(4_096));
    expect(closed).to.equal(true);
  });

  describe('and the time limit of an attempt', () => {
    /** Makes one attempt directly, with the test's time limit and HTTP client. */
    async function attempted(receiver: WebhookReceiver, withinMs: number, http?: HttpClient) {
      const { services } = platform.running;
      const { svcTest } = await platform.account();
      const { endpointId } = await endpointAt(svcTest, receiver);
      await svcTest.call('developers.webhook.disable', { endpointId });
      await rename(svcTest, `Alone ${endpointId}`);
      await quiet(platform);
      const [delivery] = await deliveriesOf(svcTest, endpointId);
      const [loaded] = await loadDeliveries(services, [delivery?.deliveryId ?? '']);
      if (!loaded) throw new Error('Expected a delivery.');
      return attempt({ ...services, http: http ?? services.http }, loaded, withinMs);
    }

    it('ends the attempt of a silent server, and the reading of a slowly dripping body, which does not count', async () => {
      const receiver = await receiverOf();
      receiver.answer = () => undefined;
      const silent = await attempted(receiver, 300);
      expect(silent).to.include({ responseStatus: null });
      expect(silent.error).to.match(/^timeout: /);
      expect(silent.durationMs).to.be.within(290, 5_000);
      receiver.answer = (_, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      };
      const dripping = await attempted(receiver, 300);
      expect(dripping).to.include({ responseStatus: 200, error: null });
      expect(dripping.responseBody?.toString()).to.match(/^\.+$/);
    });

    it('is never requested from a name that resolves to a private address on connect', async () => {
      const receiver = await receiverOf();
      const url = receiver.url.replace('127.0.0.1', 'hooks.example.com');
      const clientFor = (allow: string[]): HttpClient => createHttpClient({ allow, lookup: async () => ['127.0.0.1'] });
      const refused = await attempted({ ...receiver, url }, 5_000, clientFor([]));
      expect(refused.error).to.match(/^url_not_allowed: /);
      expect(receiver.received).to.deep.equal([]);
      expect((await attempted({ ...receiver, url }, 5_000, clientFor(['127.0.0.0/8']))).responseStatus).to.equal(204);
      expect(receiver.received).to.have.length(1);
    });
  });
});
