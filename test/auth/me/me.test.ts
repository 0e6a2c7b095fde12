import { expect } from 'chai';
import { eventsOf } from '#test/audience/support.js';
import { person } from '#test/auth/people.js';
import { usePlatform } from '#test/support/platform.js';

describe('auth.me.get and auth.me.update', () => {
  const platform = usePlatform();

  it('show the user themself: identities, factors, whether there is a password, and no private metadata', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    await account.svc.call('auth.user.update', {
      userId: ada.userId,
      metadata: { plan: 'pro' },
      privateMetadata: { score: 'canary' },
    });
    const shown = await ada.call('auth.me.get', {});
    expect(shown.user).to.deep.include({ id: ada.userId, email: ada.email, metadata: { plan: 'pro' } });
    expect(shown.identities.map(({ value }) => value)).to.deep.equal([ada.email]);
    expect(shown).to.deep.include({ factors: [], hasPassword: false, organization: null });
    expect(JSON.stringify(shown)).not.to.contain('canary');
  });

  it('change what is the user’s own, and nothing that is written by servers', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const changes = { name: 'Ada King', locale: 'pt-br', userMetadata: { theme: 'dark', old: null } };
    const { user } = await ada.call('auth.me.update', changes);
    expect(user).to.deep.include({ name: 'Ada King', locale: 'pt-BR', userMetadata: { theme: 'dark' } });
    await ada.call('auth.me.update', changes);
    expect(await eventsOf(platform, account.live, 'auth.user.updated'), 'a repeat writes no event').to.have.length(1);
    for (const input of [{ metadata: { plan: 'max' } }, { privateMetadata: {} }, { externalId: 'x' }, {}])
      expect((await ada.refusal('auth.me.update', input)).code).to.equal('invalid_input');
  });

  it('me.get stays open to a session that lacks a required factor; everything else asks for it', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    await account.svc.call('auth.settings.set', { mfa: { required: true } });
    await ada.call('auth.me.get', {});
    expect((await ada.refusal('auth.me.update', { name: 'Ada' })).code).to.equal('mfa_required');
    expect((await ada.refusal('auth.org.switch', { organizationId: null })).code).to.equal('mfa_required');
  });
});
