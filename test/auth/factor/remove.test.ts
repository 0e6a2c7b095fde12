import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { newId } from '#core/runtime/id.js';
import { orgMembers } from '#plugins/auth/tables/org-member.js';
import { organizations } from '#plugins/auth/tables/organization.js';
import { eventsOf } from '#test/audience/support.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { passFirstFactor, publishableApi, userWithTotp } from './support.js';

describe('auth.factor.remove', () => {
  const platform = usePlatform();

  /** An organization that demands a second factor of its members, with the user as its owner. */
  async function organizationOf({ id: environmentId }: Environment, userId: string, requireMfa = true): Promise<void> {
    const { database } = platform.running.services;
    const now = platform.clock.now();
    const id = newId();
    await database.insert(organizations, {
      ...{ id, environmentId, name: 'Engines', nameKey: 'engines', slug: 'engines', logoUrl: null, metadata: '{}' },
      ...{ requireMfa, memberCount: 1, createdAt: now, updatedAt: now },
    });
    await database.insert(orgMembers, {
      id: newId(),
      organizationId: id,
      userId,
      environmentId,
      role: 'owner',
      joinedAt: now,
    });
  }

  it('removes the factor with its recovery codes; sign-ins ask for it no longer', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, factorId } = await userWithTotp(platform, account);
    await organizationOf(account.live, user.userId, false);
    const { accessToken, userId } = user;
    const { factor } = await api.call('auth.factor.remove', { accessToken, factorId });
    expect(factor.id).to.equal(factorId);
    expect(await api.call('auth.factor.list', { accessToken })).to.deep.equal({
      factors: [],
      recoveryCodesLeft: 0,
      nextBefore: null,
    });
    expect((await passFirstFactor(platform, account.live, userId)).status).to.equal('complete');
    const [event] = await eventsOf(platform, account.live, 'auth.factor.removed');
    expect(event?.data).to.deep.equal({ userId, factor });
    expect(await api.refusal('auth.factor.remove', { accessToken, factorId })).to.include({ code: 'not_found' });
  });

  it('needs a session with a second factor, and a recent sign-in', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, factorId } = await userWithTotp(platform, account);
    const { accessToken } = await signedIn(platform, account.live);
    expect(await api.refusal('auth.factor.remove', { accessToken, factorId })).to.include({ code: 'mfa_required' });
    platform.clock.advance(minutes(10));
    expect(await api.refusal('auth.factor.remove', { accessToken: user.accessToken, factorId })).to.include({
      code: 'reauth_required',
    });
  });

  it('removes a pending factor without one, while none is active: nothing was demanded to enrol it', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { accessToken } = await signedIn(platform, account.live, { email: 'carol@example.com' });
    const { factorId } = await api.call('auth.factor.totp.enroll', { accessToken });
    const { factor } = await api.call('auth.factor.remove', { accessToken, factorId });
    expect(factor).to.include({ id: factorId, status: 'pending' });
    expect((await api.call('auth.factor.list', { accessToken })).factors).to.deep.equal([]);
    expect(await eventsOf(platform, account.live, 'auth.factor.removed'), 'nothing counted before').to.deep.equal([]);
  });

  it('keeps a pending factor from a session that did not pass the active one', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user } = await userWithTotp(platform, account);
    const { factorId } = await api.call('auth.factor.totp.enroll', { accessToken: user.accessToken });
    const { accessToken } = await signedIn(platform, account.live);
    expect(await api.refusal('auth.factor.remove', { accessToken, factorId })).to.include({ code: 'mfa_required' });
    await api.call('auth.factor.remove', { accessToken: user.accessToken, factorId });
    const { factors } = await api.call('auth.factor.list', { accessToken });
    expect(factors.map(({ status }) => status)).to.deep.equal(['active']);
  });

  it('refuses while the environment requires a second factor', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, factorId } = await userWithTotp(platform, account);
    await account.svc.call('auth.settings.set', { mfa: { required: true } });
    expect(await api.refusal('auth.factor.remove', { accessToken: user.accessToken, factorId })).to.include({
      status: 409,
      code: 'factor_required',
      message: 'The environment requires a second factor.',
    });
  });

  it('refuses while an organization of the user requires one, active in the session or not', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, factorId } = await userWithTotp(platform, account);
    await organizationOf(account.live, user.userId);
    expect(await api.refusal('auth.factor.remove', { accessToken: user.accessToken, factorId })).to.include({
      code: 'factor_required',
      message: 'The organization “Engines” requires a second factor.',
    });
  });

  it('answers not_found for the factor of another user', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user } = await userWithTotp(platform, account);
    const bob = await userWithTotp(platform, account, 'bob@example.com');
    const input = { accessToken: user.accessToken, factorId: bob.factorId };
    expect(await api.refusal('auth.factor.remove', input)).to.include({ status: 404, code: 'not_found' });
    expect((await api.call('auth.factor.list', { accessToken: bob.user.accessToken })).factors).to.have.length(1);
  });
});
