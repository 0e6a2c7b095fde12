import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { keyIssuer } from '#core/kernel/ports.js';
import { exampleMember } from '../../../examples.js';
import { Member, role as anyRole } from '../../../resources.js';
import { lockAccount } from '#plugins/account/accounts/lock-account.js';
import {
  findMember,
  mustHoldRoles,
  mustNotBeLastOwner,
  noMember,
  releaseOpener,
} from '#plugins/account/members/member-rules.js';
import { presentMember } from '#plugins/account/accounts/present.js';
import { members } from '../../../tables/member.js';

export default defineOperation({
  name: 'account.member.role.set',
  summary: 'Change a member’s role. Only an owner makes or unmakes an owner; nobody grants more than they hold.',
  description: 'Keys that the member made are lowered with them, at once.',
  access: 'secret',
  impact: { retrySafe: true },
  accountWide: true,
  input: object({ memberId: uuid('Whose role to change: an active member’s or an open invitation’s.'), role: anyRole }),
  output: object({ member: Member }),
  errors: ['owner_only', 'permission_exceeds_caller', 'last_owner'],
  events: ['account.member.role_changed'],
  example: {
    input: { memberId: exampleMember.id, role: 'admin' },
    output: { member: { ...exampleMember, role: 'admin' } },
  },

  async handle({ memberId, role }, { db, caller, deployment, use, fail, emit, audit }) {
    const { accountId } = caller.environment;
    await lockAccount(db, caller);
    const before = await findMember(db, caller, memberId, fail);
    if (before.status === 'removed') throw noMember(fail);
    const subject = { type: 'member', id: memberId };
    if (before.role === role) {
      audit({ subject, summary: `Left ${before.email} in the role ${role}.` });
      return { member: presentMember(before) };
    }
    mustHoldRoles(caller, [before.role, role], deployment.products, fail);
    await mustNotBeLastOwner(db, before, fail);
    await db.update(members, { id: memberId }, { role });
    await use(keyIssuer).lowerKeys(accountId, memberId, role);
    if (before.role === 'owner') await releaseOpener(db, before);
    const member = presentMember({ ...before, role });
    audit({
      subject,
      summary: `Changed the role of ${before.email} from ${before.role} to ${role}.`,
      changes: [{ field: 'role', from: before.role, to: role }],
    });
    emit('account.member.role_changed', { subjectId: memberId, data: { member } });
    return { member };
  },
});
