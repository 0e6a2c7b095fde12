import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { auditOf } from '#test/account/support.js';
import { usePlatform } from '#test/support/platform.js';
import { endpointAt, typesOf, useReceivers, written, quiet } from './support.js';

const url = 'https://127.0.0.1:1/svc?shop=1';
import { webhooks } from '#plugins/developers/tables/webhook.js';

describe('developers.webhook.create', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('creates an enabled endpoint for every event when no filter is given, with a secret of 43 random characters', async () => {
    const { svc } = await platform.account();
    const { endpoint, secret } = await svc.call('developers.webhook.create', { url });
    const now = platform.clock.now().toISOString();
    expect(endpoint).to.deep.equal({
      endpointId: endpoint.endpointId,
      url,
      eventTypes: [],
      description: null,
      status: 'enabled',
      previousSecretUntil: null,
      createdAt: now,
      updatedAt: now,
    });
    expect(secret).to.match(/^svc_wh_[A-Za-z0-9]{43}$/);
    const other = await svc.call('developers.webhook.create', { url });
    expect(other.secret).not.to.equal(secret);
    expect(other.endpoint.endpointId).not.to.equal(endpoint.endpointId);
  });

  it('writes one audit record and one event, which names the endpoint', async () => {
    const account = await platform.account();
    const { activityId, result } = await account.svc.envelope('developers.webhook.create', {
      url,
      eventTypes: ['account.*', 'account.theme.draft_saved'],
      description: 'Orders 🛒',
    });
    expect(result.endpoint).to.deep.include({
      eventTypes: ['account.*', 'account.theme.draft_saved'],
      description: 'Orders 🛒',
    });
    const { endpointId } = result.endpoint;
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'developers.webhook.create',
      subjectId: endpointId,
      summary: `Created the webhook endpoint ${url}.`,
    });
    expect(await platform.events(account.live)).to.deep.equal([
      {
        type: 'developers.webhook.created',
        subjectId: endpointId,
        activityId,
        data: { endpoint: result.endpoint },
      },
    ]);
    expect((await account.svc.call('developers.webhook.get', { endpointId })).endpoint).to.deep.equal(result.endpoint);
  });

  it('accepts every event name and every product’s wildcard', async () => {
    const { svc } = await platform.account();
    const { deployment } = platform.running.services;
    const names = [...deployment.events.keys()];
    const wildcards = deployment.products.map((product) => `${product}.*`);
    const eventTypes = [...names, ...wildcards];
    const { endpoint } = await svc.call('developers.webhook.create', { url, eventTypes });
    expect(endpoint.eventTypes).to.deep.equal(eventTypes);
  });

  it('accepts plain http in a test environment, and the new endpoint receives the event of its own creation', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    await platform.settled();
    const { endpointId } = await endpointAt(svcTest, receiver, []);
    const [first] = await receiver.waitFor(1);
    expect([first?.event.type, first?.event['subject']]).to.deep.equal([
      'developers.webhook.created',
      { type: 'webhook', id: endpointId },
    ]);
    await quiet(platform);
    expect(typesOf(receiver)).to.deep.equal(['developers.webhook.created']);
  });

  it('returns the secret again only to a repeat with the same Idempotency-Key', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newId();
    const first = await svc.call('developers.webhook.create', { url }, { idempotencyKey });
    expect(await svc.call('developers.webhook.create', { url }, { idempotencyKey })).to.deep.equal(first);
    const { endpoints } = await svc.call('developers.webhook.list', {});
    expect(endpoints).to.deep.equal([first.endpoint]);
    expect(
      JSON.stringify(await svc.call('developers.webhook.get', { endpointId: first.endpoint.endpointId })),
    ).not.to.contain('svc_wh_');
  });

  it('creates exactly 50 enabled ones per environment, also under concurrent calls and enabled ones', async () => {
    const account = await platform.account();
    const { svc, svcTest } = account;
    const make = () => svcTest.raw('/developers/webhook/create', JSON.stringify({ url, eventTypes: ['account.*'] }));
    const early = await Promise.all(Array.from({ length: 46 }, make));
    const racers = await Promise.all(Array.from({ length: 12 }, make));
    expect(early.map(({ status }) => status)).to.deep.equal(Array.from({ length: 46 }, () => 200));
    expect(racers.filter(({ status }) => status === 200)).to.have.length(4);
    const before = await written(platform, account);
    const refusal = await svcTest.refusal('developers.webhook.create', { url });
    expect(refusal).to.include({ code: 'limit_reached', status: 409 });
    expect(refusal.message).to.contain('50');
    expect(await written(platform, account)).to.deep.equal(before);
    expect((await svc.call('developers.webhook.create', { url })).endpoint.status).to.equal('enabled');

    const [first, second] = (await svcTest.call('developers.webhook.list', { limit: 2 })).endpoints;
    await svcTest.call('developers.webhook.disable', { endpointId: first?.endpointId ?? '' });
    await svcTest.call('developers.webhook.create', { url });
    const enable = { endpointId: first?.endpointId ?? '' };
    expect((await svcTest.refusal('developers.webhook.enable', enable)).code).to.equal('limit_reached');
    await svcTest.call('developers.webhook.disable', { endpointId: second?.endpointId ?? '' });
    await svcTest.call('developers.webhook.enable', enable);
  });

  it('creates 500 per environment, disabled ones included', async () => {
    const { svcTest, test } = await platform.account();
    const now = platform.clock.now();
    const row = {
      environmentId: test.id,
      url,
      eventTypes: [],
      description: null,
      status: 'disabled' as const,
      secretSealed: Buffer.alloc(40),
      failingSince: null,
      createdAt: now,
      updatedAt: now,
    };
    const rows = Array.from({ length: 499 }, () => ({ ...row, id: newId() }));
    await platform.running.services.database.insert(webhooks, rows);
    await svcTest.call('developers.webhook.create', { url });
    const refused = await svcTest.refusal('developers.webhook.create', { url });
    expect(refused).to.include({ code: 'limit_reached', status: 409 });
    expect(refused.message).to.contain('500 webhook endpoints in this environment, including disabled ones');
  });
});
