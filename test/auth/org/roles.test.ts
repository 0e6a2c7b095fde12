import { expect } from 'chai';
import { orgRoles, type OrgRole } from '#plugins/auth/tables/org-member.js';
import { join, organizationOf, person, type Person } from '#test/auth/people.js';
import type { OperationName } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

/** Whether somebody with a role may do a thing to somebody with another, as the reference says it. */
const mayAct: Readonly<Record<OrgRole, readonly OrgRole[]>> = {
  owner: ['owner', 'admin', 'member'],
  admin: ['admin', 'member'],
  member: [],
};
const may = (actor: OrgRole, ...affected: OrgRole[]): boolean =>
  actor !== 'member' && affected.every((role) => mayAct[actor].includes(role));

describe('Who may do what in an organization', () => {
  const platform = usePlatform();

  /** An organization with two owners and somebody with each role who acts and whom it is done to. */
  async function team() {
    const account = await platform.account();
    const founder = await person(platform, account, 'founder');
    const organization = await organizationOf(founder);
    const actors = new Map<OrgRole, Person>();
    for (const role of orgRoles) {
      const actor = await person(platform, account, `acting-${role}`);
      await join(platform, organization.id, actor, role);
      actors.set(role, actor);
    }
    return { account, founder, organizationId: organization.id, actors };
  }
  const actorIn = (actors: ReadonlyMap<OrgRole, Person>, role: OrgRole): Person => {
    const actor = actors.get(role);
    if (!actor) throw new Error(`Nobody is ${role}.`);
    return actor;
  };

  it('member.update: every role on every role to every role', async () => {
    const { account, organizationId, actors } = await team();
    for (const actor of orgRoles)
      for (const from of orgRoles)
        for (const to of orgRoles) {
          const target = await person(platform, account, `t-${actor}-${from}-${to}`);
          await join(platform, organizationId, target, from);
          const input = { organizationId, userId: target.userId, role: to };
          const what = `${actor} makes ${from} ${to}`;
          if (may(actor, from, to)) {
            const { member } = await actorIn(actors, actor).call('auth.org.member.update', input);
            expect(member.role, what).to.equal(to);
          } else {
            const refused = await actorIn(actors, actor).refusal('auth.org.member.update', input);
            expect(refused, what).to.include({ status: 403, code: 'org_role_required' });
            expect((await target.call('auth.org.get', { organizationId })).role, what).to.equal(from);
          }
        }
  });

  it('member.remove: every role on every role', async () => {
    const { account, organizationId, actors } = await team();
    for (const actor of orgRoles)
      for (const role of orgRoles) {
        const target = await person(platform, account, `t-${actor}-${role}`);
        await join(platform, organizationId, target, role);
        const input = { organizationId, userId: target.userId };
        if (may(actor, role)) {
          await actorIn(actors, actor).call('auth.org.member.remove', input);
          expect((await target.refusal('auth.org.get', { organizationId })).code).to.equal('not_found');
        } else {
          const refused = await actorIn(actors, actor).refusal('auth.org.member.remove', input);
          expect(refused.code, `${actor} removes ${role}`).to.equal('org_role_required');
          await target.call('auth.org.get', { organizationId });
        }
      }
  });

  itNeeding('email')('invite.create and invite.revoke: every role with every role', async () => {
    const { organizationId, actors, founder } = await team();
    for (const actor of orgRoles)
      for (const role of orgRoles) {
        const what = `${actor} invites ${role}`;
        const acting = actorIn(actors, actor);
        const input = { organizationId, email: `i-${actor}-${role}@example.com`, role };
        const { invite } = await founder.call('auth.org.invite.create', { ...input, email: `r-${input.email}` });
        const revoke = { organizationId, inviteId: invite.id };
        if (may(actor, role)) {
          expect((await acting.call('auth.org.invite.create', input)).invite.role).to.equal(role);
          expect((await acting.call('auth.org.invite.revoke', revoke)).invite.revokedAt).not.to.equal(null);
        } else {
          expect((await acting.refusal('auth.org.invite.create', input)).code, what).to.equal('org_role_required');
          expect((await acting.refusal('auth.org.invite.revoke', revoke)).code, what).to.equal('org_role_required');
        }
      }
  });

  itNeeding('email')('an admin does not turn the invitation of an owner into another', async () => {
    const { organizationId, actors, founder } = await team();
    const email = 'heir@example.com';
    await founder.call('auth.org.invite.create', { organizationId, email, role: 'owner' });
    const refused = await actorIn(actors, 'admin').refusal('auth.org.invite.create', { organizationId, email });
    expect(refused.code).to.equal('org_role_required');
  });

  it('update and invite.list: owners and admins; delete: owners', async () => {
    const { organizationId, actors } = await team();
    for (const role of orgRoles) {
      const acting = actorIn(actors, role);
      const manages = role !== 'member';
      const outcome = async (work: Promise<unknown>): Promise<boolean> =>
        work.then(
          () => true,
          (error: unknown) => {
            expect(String(error)).to.contain('org_role_required');
            return false;
          },
        );
      expect(await outcome(acting.call('auth.org.update', { organizationId, name: `By ${role}` })), role).to.equal(
        manages,
      );
      expect(await outcome(acting.call('auth.org.invite.list', { organizationId })), role).to.equal(manages);
      await acting.call('auth.org.member.list', { organizationId });
    }
    const confirm = 'By admin';
    for (const role of ['member', 'admin', 'owner'] as const) {
      const acting = actorIn(actors, role);
      if (role === 'owner') await acting.call('auth.org.delete', { organizationId, confirm });
      else
        expect((await acting.refusal('auth.org.delete', { organizationId, confirm })).code).to.equal(
          'org_role_required',
        );
    }
  });

  it('reads the role from the row on each call, whatever the token says', async () => {
    const { founder, organizationId, actors } = await team();
    const admin = actorIn(actors, 'admin');
    const { accessToken } = await admin.call('auth.org.switch', { organizationId });
    await founder.call('auth.org.member.update', { organizationId, userId: admin.userId, role: 'member' });
    // The token still says admin.
    const refused = await admin.refusal('auth.org.update', { organizationId, name: 'Mine' });
    expect(refused.code).to.equal('org_role_required');
    expect(accessToken).not.to.equal('');
  });

  it('is for the user alone: an impersonated session changes nothing', async () => {
    const { account, founder, organizationId } = await team();
    await platform.running.services.database.run(
      `UPDATE auth_session SET impersonator_id = 0x${account.memberId.replaceAll('-', '')}, impersonator_label = 'Support' WHERE id = 0x${founder.sessionId.replaceAll('-', '')}`,
    );
    const { userId } = founder;
    const forbidden: readonly (readonly [OperationName, object])[] = [
      ['auth.org.create', { name: 'New' }],
      ['auth.org.update', { organizationId, name: 'New' }],
      ['auth.org.delete', { organizationId, confirm: 'x' }],
      ['auth.org.leave', { organizationId }],
      ['auth.org.member.update', { organizationId, userId, role: 'member' }],
      ['auth.org.member.remove', { organizationId, userId }],
      ['auth.org.invite.create', { organizationId, email: 'x@example.com' }],
      ['auth.org.invite.revoke', { organizationId, inviteId: userId }],
      ['auth.org.invite.accept', { token: `svc_oi_${'x'.repeat(43)}` }],
      ['auth.me.update', { name: 'New' }],
      ['auth.me.delete', { confirm: founder.email }],
    ];
    for (const [name, input] of forbidden)
      expect((await founder.refusal(name, input)).code, name).to.equal('impersonation_forbidden');
    await founder.call('auth.org.get', { organizationId });
  });
});
