import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { idBytes } from '#core/runtime/id.js';
import { signedIn } from '#test/auth/support.js';
import { usePlatform } from '#test/support/platform.js';

const long = (bytes: number): string => 'x'.repeat(bytes);

describe('Claims from metadata', () => {
  const platform = usePlatform();

  it('have 4,096 bytes in each token: metadata that would exceed them is refused, and says what to shorten', async () => {
    const { svc } = await platform.account();
    await svc.call('auth.settings.set', { claims: { plan: 'plan', facts: 'profile' } });
    const metadata = { plan: 'pro', profile: long(4_100) };
    const refusedNew = await svc.refusal('auth.user.create', { email: 'ada@example.com', metadata });
    const { user } = await svc.call('auth.user.create', { email: 'ada@example.com', metadata: { plan: 'pro' } });
    const refused = await svc.refusal('auth.user.update', { userId: user.id, metadata });
    for (const refusal of [refusedNew, refused]) {
      expect(refusal).to.include({ status: 400, code: 'invalid_input' });
      expect(refusal.details).to.deep.equal({ field: 'metadata' });
      expect(refusal.fix).to.contain('“profile”').and.to.contain('{"claims": {"facts": null}}');
    }
    // What no claim copies may be long.
    await svc.call('auth.user.update', { userId: user.id, metadata: { notes: long(10_000) } });
  });

  it('are checked for each row of an import, new or matched', async () => {
    const { svc } = await platform.account();
    await svc.call('auth.settings.set', { claims: { facts: 'profile' } });
    await svc.call('auth.user.create', { email: 'ada@example.com', emailVerified: true });
    const row = (email: string, profile: string) => ({ email, metadata: { profile } });
    const users = [row('ada@example.com', long(5_000)), row('bob@example.com', long(5_000)), row('c@example.com', 'x')];
    const { created, updated, rejected } = await svc.call('auth.user.import', { users });
    expect({ created, updated }).to.deep.equal({ created: 1, updated: 0 });
    expect(rejected.map(({ index, code }) => ({ index, code }))).to.deep.equal([
      { index: 0, code: 'invalid_input' },
      { index: 1, code: 'invalid_input' },
    ]);
    expect(rejected[0]?.message).to.contain('“profile”');
  });

  it('are refused in the settings where a user’s metadata is too long for them, naming claim and user', async () => {
    const { svc } = await platform.account();
    await svc.call('auth.settings.set', { claims: { plan: 'plan' } });
    const { user } = await svc.call('auth.user.create', {
      email: 'ada@example.com',
      metadata: { profile: long(2_100), plan: 'pro' },
    });
    const { settings } = await svc.call('auth.settings.set', { claims: { facts: 'profile' } });
    expect(settings.claims).to.deep.equal({ plan: 'plan', facts: 'profile' });
    // The same key under two claims counts twice.
    const refused = await svc.refusal('auth.settings.set', { claims: { again: 'profile' } });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.details).to.deep.equal({ field: 'claims.again', userId: user.id });
    expect(refused.fix).to.contain('“profile”').and.to.contain('auth.user.update');
    expect((await svc.call('auth.settings.get', {})).settings.claims).not.to.have.property('again');
    await svc.call('auth.settings.set', { claims: { plan: null } });
  });

  it('that became too long anyway are left out, and the user still signs in; metadata may be shortened step by step', async () => {
    const { svc, live } = await platform.account();
    await svc.call('auth.settings.set', { claims: { facts: 'profile', plan: 'plan' } });
    const { userId } = await signedIn(platform, live);
    const metadata = { plan: 'pro', profile: long(9_000) };
    await platform.running.services.database.run('UPDATE auth_user SET metadata = ? WHERE id = ?', [
      JSON.stringify(metadata),
      idBytes(userId),
    ]);
    const { accessToken } = await signedIn(platform, live);
    expect(decodeJwt(accessToken)).to.include({ plan: 'pro', sub: userId }).and.not.to.have.property('facts');
    await svc.call('auth.user.update', { userId, metadata: { profile: long(5_000) } });
    expect(await svc.refusal('auth.user.update', { userId, metadata: { profile: long(5_001) } })).to.include({
      code: 'invalid_input',
    });
  });
});
