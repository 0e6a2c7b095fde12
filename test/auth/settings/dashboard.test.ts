import { expect } from 'chai';
import { atOwnShard } from '#core/runtime/shard.js';
import type { Api } from '#test/support/api.js';
import { signedIn } from '#test/auth/support.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { dashboardOf, dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';

describe('The sign-in settings of the dashboard', () => {
  const platform = usePlatform();
  const owner = async (): Promise<{ api: Api; here: { headers: Record<string, string> } }> => ({
    api: withSession(platform, await dashboardSession(platform, 'owner@mail.localhost')),
    here: inEnvironment(await dashboardOf(platform)),
  });

  it('let sign-ins return to the server itself, after a reset and the next start too', async () => {
    const { baseUrl } = platform.running.services.deployment;
    const { api, here } = await owner();
    const { settings: first, defaults } = await api.call('auth.settings.get', {}, here);
    expect(first.redirectUrls).to.deep.equal([baseUrl]);
    expect(defaults.redirectUrls, 'what a reset puts back').to.deep.equal([baseUrl]);
    await api.call('auth.settings.set', { redirectUrls: ['https://admin.example.com'] }, here);
    expect((await api.call('auth.settings.reset', {}, here)).settings.redirectUrls).to.deep.equal([baseUrl]);
    await api.call('auth.settings.set', { redirectUrls: ['https://admin.example.com'] }, here);
    await platform.restart();
    const { settings } = await api.call('auth.settings.get', {}, here);
    expect(settings.redirectUrls).to.deep.equal(['https://admin.example.com', baseUrl]);
  });

  it('keep a way in for members who have nothing but their address', async () => {
    const { api, here } = await owner();
    const off = { enabled: false };
    const both = await api.refusal('auth.settings.set', { methods: { code: off, link: off } }, here);
    expect(both).to.include({ code: 'no_usable_signin_method' });
    await api.call('auth.settings.set', { methods: { code: off, password: off } }, here);
    expect(await api.refusal('auth.settings.set', { methods: { link: off } }, here)).to.include({
      code: 'no_usable_signin_method',
    });
    await api.call('auth.settings.reset', {}, here);
  });

  it('keep a way in for members who never signed in', async () => {
    const { api, here } = await owner();
    for (const signup of [
      { allow: 'nobody' },
      { allow: 'invited' },
      { allowedDomains: ['example.org'] },
      { blockedDomains: ['example.com'] },
    ])
      expect(await api.refusal('auth.settings.set', { signup }, here)).to.include({ code: 'no_usable_signin_method' });
  });

  it('bind no other environment', async () => {
    const { svc } = await platform.account();
    const off = { enabled: false };
    await svc.call('auth.settings.set', { methods: { code: off, link: off }, signup: { allow: 'nobody' } });
    expect((await svc.call('auth.settings.reset', {})).settings.redirectUrls).to.deep.equal([]);
  });

  it('have no organizations: anybody may sign in there, and would invite strangers in the name of the deployment', async () => {
    const { api, here } = await owner();
    const { settings, defaults } = await api.call('auth.settings.get', {}, here);
    expect([settings.organizations.enabled, defaults.organizations.enabled]).to.deep.equal([false, false]);
    const on = await api.refusal('auth.settings.set', { organizations: { enabled: true } }, here);
    expect(on).to.include({ code: 'invalid_input' });
    expect(on.details).to.include({ field: 'organizations.enabled' });
    const { accessToken } = await signedIn(platform, await dashboardOf(platform), { email: 'stranger@example.com' });
    const description: unknown = await (await fetch(atOwnShard(`${platform.running.address}/openapi.json`))).json();
    const key = String(at(description, 'x-svc-dashboard', 'publishableKey'));
    const operations = [...platform.running.registry.operations.values()].filter(({ name }) =>
      name.startsWith('auth.org.'),
    );
    expect(operations).to.have.length.greaterThan(15);
    for (const { name, access, example } of operations) {
      const input = access === 'user' ? Object.assign({}, example.input, { accessToken }) : example.input;
      const refused = await api.refusal(name, input, access === 'secret' ? here : { key });
      expect([name, refused.status, refused.code]).to.deep.equal([name, 403, 'feature_disabled']);
      expect(refused.fix).to.contain('account.member.invite');
    }
  });
});
