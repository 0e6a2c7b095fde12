import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { organizations } from '#plugins/auth/tables/organization.js';
import { orgMembers } from '#plugins/auth/tables/org-member.js';
import { sessions } from '#plugins/auth/tables/session.js';
import { plugins } from '#plugins/all.gen.js';
import { signedIn } from '#test/auth/support.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';

/**
 * What a session without a required second factor may do, beside refreshing and signing out: read the user, and enrol a
 * factor.
 */
const open = [
  'auth.me.get',
  'auth.factor.totp.enroll',
  'auth.factor.totp.activate',
  // To none, away from an organization that requires one; it refuses the rest itself.
  'auth.org.switch',
];

describe('A session without a required second factor', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  it('is restricted from the next request on, on every node, refreshes and signs out', async () => {
    const { svc, live, keys } = await platform.account();
    const asUser = { key: keys.live.publishable };
    const weak = await signedIn(platform, live);
    const strong = await signedIn(platform, live, { methods: ['password', 'totp'], mfa: true });
    await svc.call('auth.session.mine', { accessToken: weak.accessToken }, asUser);
    await svc.call('auth.settings.set', { mfa: { required: true } });
    for (const node of [svc, second.node?.as('') ?? svc]) {
      const refused = await node.refusal('auth.session.mine', { accessToken: weak.accessToken }, asUser);
      expect(refused).to.include({ status: 403, code: 'mfa_required' });
      await node.call('auth.session.mine', { accessToken: strong.accessToken }, asUser);
    }
    const { tokens } = await svc.call('auth.session.refresh', { refreshToken: weak.refreshToken }, asUser);
    const { accessToken, refreshToken } = tokens;
    expect((await svc.refusal('auth.session.mine', { accessToken }, asUser)).code).to.equal('mfa_required');
    expect(await svc.call('auth.session.verify', { accessToken })).to.include({ valid: false, reason: 'mfa_required' });
    expect(await svc.call('auth.session.verify', { accessToken: strong.accessToken })).to.include({ valid: true });
    expect(await svc.call('auth.session.signout', { refreshToken }, asUser)).to.deep.equal({ ended: true });
  });

  it('is restricted while it acts for an organization that requires one', async () => {
    const { svc, live, keys } = await platform.account();
    const { database } = platform.running.services;
    const asUser = { key: keys.live.publishable };
    const { accessToken, sessionId, userId } = await signedIn(platform, live);
    const now = platform.clock.now();
    const organizationId = newId();
    await database.insert(organizations, {
      id: organizationId,
      environmentId: live.id,
      name: 'Acme',
      nameKey: 'acme',
      slug: 'acme',
      logoUrl: null,
      metadata: '{}',
      requireMfa: true,
      memberCount: 1,
      createdAt: now,
      updatedAt: now,
    });
    const member = {
      organizationId,
      userId,
      environmentId: live.id,
      id: newId(),
      role: 'member' as const,
      joinedAt: now,
    };
    await database.insert(orgMembers, member);
    await svc.call('auth.session.mine', { accessToken }, asUser);
    await database.update(sessions, { id: sessionId }, { organizationId });
    expect((await svc.refusal('auth.session.mine', { accessToken }, asUser)).code).to.equal('mfa_required');
    await database.remove(orgMembers, { organizationId, userId });
    await svc.call('auth.session.mine', { accessToken }, asUser);
  });

  const operations = plugins.flatMap((plugin) => [...plugin.operations]).filter(({ access }) => access === 'user');
  for (const { name, needs } of operations)
    it(`${open.includes(name) ? 'may' : 'may not'} call ${name}`, () => {
      expect(needs?.withoutRequiredFactor === true).to.equal(open.includes(name));
    });
});
