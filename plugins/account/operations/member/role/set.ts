import { roleRank } from '#core/kernel/caller/permissions.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { keyIssuer } from '#core/kernel/ports.js';
import { lockAccount } from '../../../tables/account.js';
import { withdrawInvitations, withdrawnChanges } from '../../../members/open-invitations.js';
import {
  endpointChanges,
  keyChanges,
  assertHoldsRoles,
  assertNotLastOwner,
  releaseOpenerAddress,
} from '../../../members/rules.js';
import { members } from '../../../tables/member.js';
import { presentMember, exampleMember, Member, role as anyRole } from '../../../members/resources.js';

export default defineOperation({
  name: 'account.member.role.set',
  summary:
    'Changes a member’s role. Only an owner can grant or remove the owner role, and no caller can grant more than it holds.',
  description:
    'If the new role is weaker, keys that the member created or rotated keep working with at most the developer role, without developers:write, and open invitations that the new role could not send are withdrawn. The audit record lists both, and also the webhook endpoints that the member created, which keep receiving events.',
  keywords: 'promote demote admin rights',
  access: 'secret',
  impact: { retrySafe: true },
  accountWide: true,
  input: object({ memberId: uuid('An active or invited member.'), role: anyRole }),
  output: object({ member: Member }),
  errors: ['owner_only', 'permission_exceeds_caller', 'last_owner', 'last_key'],
  events: ['account.member.role_changed', 'account.member.removed'],
  example: {
    input: { memberId: exampleMember.id, role: 'admin' },
    output: { member: { ...exampleMember, role: 'admin' } },
  },

  async handle({ memberId, role }, { db, caller: stale, deployment, use, fail, emit, audit }) {
    const { accountId } = stale.environment;
    await lockAccount(db, stale);
    const caller = await use(keyIssuer).reloadCaller(stale, {
      operation: 'account.member.role.set',
      permission: 'account:write',
    });
    const before = await findOwned(db, members, caller, memberId);
    if (before.status === 'removed') throw fail.not_found({ ...members.notFound });
    const subject = { type: 'member', id: memberId };
    if (before.role === role) {
      const unchanged = `${before.email} already has the role ${role}.`;
      audit({ subject, summary: unchanged, changes: [], unchanged });
      return { member: presentMember(before) };
    }
    assertHoldsRoles(caller, [before.role, role], deployment.products, fail);
    await assertNotLastOwner(db, before, fail);
    // The member who sets the role of an open invitation answers for it.
    const inviterId = before.status === 'invited' ? caller.memberId : before.inviterId;
    await db.update(members, { id: memberId }, { role, inviterId });
    const becomesWeaker = roleRank(role) > roleRank(before.role);
    const lowered = becomesWeaker ? await use(keyIssuer).lowerKeys(accountId, memberId) : [];
    const endpoints = becomesWeaker ? await use(keyIssuer).endpointsOf(memberId) : [];
    const withdrawn = becomesWeaker ? await withdrawInvitations(db, before, role, deployment.products) : [];
    if (before.role === 'owner') await releaseOpenerAddress(db, before);
    const member = presentMember({ ...before, role });
    audit({
      subject,
      summary: `Changed the role of ${before.email} from ${before.role} to ${role}.`,
      changes: [
        { field: 'role', from: before.role, to: role },
        ...keyChanges(lowered),
        ...withdrawnChanges(withdrawn),
        ...endpointChanges(endpoints),
      ],
    });
    emit('account.member.role_changed', { subjectId: memberId, data: { member } });
    for (const each of withdrawn)
      emit('account.member.removed', { subjectId: each.id, data: { member: presentMember(each) } });
    return { member };
  },
});
