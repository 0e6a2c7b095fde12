import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

const url = 'https://127.0.0.1:1/svc';

describe('developers.webhook.list', () => {
  const platform = usePlatform();

  it('lists the environment’s endpoints newest first, page by page, without duplicates during writes', async () => {
    const { svc } = await platform.account();
    const made: string[] = [];
    for (let index = 0; index < 5; index++) {
      made.unshift((await svc.call('developers.webhook.create', { url: `${url}/${index}` })).endpoint.endpointId);
    }
    const first = await svc.call('developers.webhook.list', { limit: 2 });
    await svc.call('developers.webhook.create', { url: `${url}/late` });
    const second = await svc.call('developers.webhook.list', { limit: 2, before: first.nextBefore ?? '' });
    const third = await svc.call('developers.webhook.list', { limit: 2, before: second.nextBefore ?? '' });
    const pages = [first, second, third].map(({ endpoints }) => endpoints.map(({ endpointId }) => endpointId));
    expect(pages).to.deep.equal([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
    expect(third.nextBefore).to.equal(null);
  });

  it('shows the same fields as get, and no secret', async () => {
    const { svc } = await platform.account();
    const { endpoint, secret } = await svc.call('developers.webhook.create', { url });
    const { endpointId } = endpoint;
    const { endpoints } = await svc.call('developers.webhook.list', {});
    expect(endpoints).to.deep.equal([(await svc.call('developers.webhook.get', { endpointId })).endpoint]);
    expect(JSON.stringify(endpoints)).not.to.contain(secret.slice(0, 12));
  });

  it('shows nothing of the other environment or of another account', async () => {
    const [{ svc, svcTest }, stranger] = [await platform.account(), await platform.account()];
    await svc.call('developers.webhook.create', { url });
    expect(await svcTest.call('developers.webhook.list', {})).to.deep.equal({ endpoints: [], nextBefore: null });
    expect(await stranger.svc.call('developers.webhook.list', {})).to.deep.equal({ endpoints: [], nextBefore: null });
  });

  it('refuses invalid page tokens and limits outside 1 to 100', async () => {
    const { svc } = await platform.account();
    for (const [field, input] of [
      ['before', { before: 'yesterday' }],
      ['limit', { limit: 0 }],
      ['limit', { limit: 101 }],
      ['status', { status: 'enabled' }],
    ] as const) {
      const refusal = await svc.refusal('developers.webhook.list', input);
      expect({ code: refusal.code, details: refusal.details }).to.deep.equal({
        code: 'invalid_input',
        details: { field },
      });
    }
  });
});
