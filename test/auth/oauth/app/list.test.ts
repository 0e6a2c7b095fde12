import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

const provider = (name: string) => ({ provider: name, clientId: 'id', clientSecret: 's3cr3t-text', enabled: false });

describe('auth.oauth.app.list', () => {
  const platform = usePlatform();

  it('lists an environment’s providers newest first, in pages, without secrets and without removed ones', async () => {
    const { svc, svcTest } = await platform.account();
    for (const name of ['google', 'github', 'gitlab', 'microsoft'])
      await svc.call('auth.oauth.app.set', provider(name));
    await svc.call('auth.oauth.app.remove', { provider: 'github' });
    const first = await svc.call('auth.oauth.app.list', { limit: 2 });
    expect(first.apps.map((app) => app.provider)).to.deep.equal(['microsoft', 'gitlab']);
    const second = await svc.call('auth.oauth.app.list', { limit: 2, before: first.nextBefore ?? '' });
    expect(second.apps.map((app) => app.provider)).to.deep.equal(['google']);
    expect(second.nextBefore).to.equal(null);
    expect(JSON.stringify([first, second])).not.to.contain('s3cr3t-text');
    expect((await svcTest.call('auth.oauth.app.list', {})).apps, 'of the other environment').to.deep.equal([]);
  });
});
