import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { startExample, type RunningExample } from './support.js';

describe('examples/webhook-receiver', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const running: RunningExample[] = [];
  afterEach(async () => {
    for (const example of running.splice(0)) await example.stop();
  });

  const start = async (secret: string): Promise<{ example: RunningExample; url: string }> => {
    const example = startExample(['webhook-receiver/receiver.ts'], { WEBHOOK_SECRET: secret, PORT: '0' });
    running.push(example);
    await example.waitFor('Listening at ');
    return { example, url: /Listening at (\S+)/.exec(example.printed())?.[1] ?? '' };
  };

  it('receives an event whose signature checks, and handles it once', async () => {
    const { svcTest } = await platform.account();
    const { endpoint, secret } = await svcTest.call('developers.webhook.create', {
      url: 'http://127.0.0.1:9/hooks/svc',
      eventTypes: ['developers.key.created'],
    });
    const { example, url } = await start(secret);
    // The receiver compares a signature's time with its own clock; the test's clock has stood still since the tests
    // began.
    platform.clock.advance(Date.now() - platform.clock.now().getTime());
    await svcTest.call('developers.webhook.update', { endpointId: endpoint.endpointId, url });

    await svcTest.call('developers.key.create', { name: 'Worker', permissions: ['account:read'] });
    await example.waitFor('"type":"developers.key.created"');
    expect(example.printed()).to.contain('"name":"Worker"');

    await eventually(async () => {
      const page = await svcTest.call('developers.webhook.deliveries.list', { endpointId: endpoint.endpointId });
      return page.deliveries[0]?.status === 'delivered';
    }, 'the delivery to be recorded');
    const { deliveries } = await svcTest.call('developers.webhook.deliveries.list', {
      endpointId: endpoint.endpointId,
    });
    expect(deliveries.map(({ responseStatus }) => responseStatus)).to.deep.equal([204]);
  });

  it('rejects a body that was not signed with the secret', async () => {
    const { example, url } = await start('whsec');
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Svc-Signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`, 'Svc-Event-Id': 'x' },
      body: '{}',
    });
    expect(answer.status).to.equal(400);
    await example.waitFor('Rejected: signature_mismatch');
  });

  it('asks for the secret where none is set', async () => {
    const example = startExample(['webhook-receiver/receiver.ts'], {});
    expect(await example.ended()).to.equal(1);
    expect(example.printed()).to.contain('Set WEBHOOK_SECRET');
  });
});
