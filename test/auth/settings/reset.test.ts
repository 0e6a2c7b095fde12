import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

describe('auth.settings.get and auth.settings.reset', () => {
  const platform = usePlatform();

  it('shows the defaults until something is changed, and again after a reset', async () => {
    const { svc, svcTest, live } = await platform.account();
    const fresh = await svc.call('auth.settings.get', {});
    expect(fresh.settings).to.deep.equal(fresh.defaults);
    expect(fresh.defaults).to.include({ accessTokenSeconds: 900, refreshTokenSeconds: 2_592_000 });
    await svc.call('auth.settings.set', { accessTokenSeconds: 300, redirectUrls: ['https://app.example.com'] });
    const changed = await svc.call('auth.settings.get', {});
    expect(changed.settings.accessTokenSeconds).to.equal(300);
    expect(changed.defaults).to.deep.equal(fresh.defaults);
    expect((await svcTest.call('auth.settings.get', {})).settings).to.deep.equal(fresh.defaults);

    expect((await svc.call('auth.settings.reset', {})).settings).to.deep.equal(fresh.defaults);
    expect((await svc.call('auth.settings.reset', {})).settings).to.deep.equal(fresh.defaults);
    expect((await svc.call('auth.settings.get', {})).settings).to.deep.equal(fresh.defaults);
    const resets = (await platform.events(live)).filter(({ type }) => type === 'auth.settings.reset');
    expect(resets).to.have.length(1);
  });
});
