import { permissionsGranted, roleRank } from '#core/kernel/caller/permissions.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { defineOperation } from '#core/kernel/operation.js';
import { ifUnchangedSince, nullable, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { keyIssuer } from '#core/kernel/ports.js';
import { keptNarrowing, narrowed, narrowedInput } from '../../../members/narrowed.js';
import { lockAccount } from '../../../tables/account.js';
import { withdrawInvitations, withdrawnChanges } from '../../../members/open-invitations.js';
import {
  endpointChanges,
  keyChanges,
  assertHoldsGrants,
  assertNotLastOwner,
  releaseOpenerAddress,
} from '../../../members/rules.js';
import { members, type MemberRow } from '../../../tables/member.js';
import { presentMember, exampleMember, grantTime, Member, role as anyRole } from '../../../members/resources.js';

export default defineOperation({
  name: 'account.member.role.set',
  summary:
    'Changes a member’s role, or the permissions of it that the member has. Only an owner can grant or remove the owner role, and no caller can grant more than it holds.',
  description:
    'If the member loses permissions or gets a weaker role, keys that the member created or rotated keep working with at most the developer role, without developers:write, and open invitations that the member could no longer send are withdrawn. The audit record lists both, and also the webhook endpoints that the member created, which keep receiving events.',
  keywords: 'promote demote admin rights limit narrow',
  access: 'secret',
  impact: { retrySafe: true },
  accountWide: true,
  input: object({
    memberId: uuid('An active or invited member.'),
    role: anyRole,
    permissions: optional(
      nullable(
        narrowedInput(
          'The only permissions of the role that the member has from now on; null for all that the role holds. If it is left out, a narrowed membership keeps its permissions as far as the role holds them. Not for owners.',
        ),
      ),
    ),
    ifUnchangedSince,
  }),
  output: object({ member: Member }),
  errors: ['owner_only', 'permission_exceeds_caller', 'last_owner', 'last_key'],
  events: ['account.member.role_changed', 'account.member.removed'],
  example: {
    input: { memberId: exampleMember.id, role: 'admin' },
    output: { member: { ...exampleMember, role: 'admin' } },
  },

  async handle({ memberId, role, permissions: wanted, ifUnchangedSince: since }, context) {
    const { db, caller: stale, clock, deployment, use, fail, emit, audit } = context;
    const { accountId } = stale.environment;
    await lockAccount(db, stale);
    const caller = await use(keyIssuer).reloadCaller(stale, {
      operation: 'account.member.role.set',
      permission: 'account:write',
    });
    const before = await findOwned(db, members, caller, memberId);
    if (before.status === 'removed') throw fail.not_found({ ...members.notFound });
    const subject = { type: 'member', id: memberId };
    await requireUnchanged(context, since, grantTime(before), subject);
    const { products } = deployment;
    const permissions =
      wanted === undefined ? keptNarrowing(role, before.permissions) : narrowed(role, wanted, products);
    const after = { ...before, role, permissions, updatedAt: updateTime(grantTime(before), clock.now()) };
    const changes = changesBetween(before, after, ['role', 'permissions']);
    if (changes.length === 0) {
      const unchanged = `${before.email} already has the role ${role}${permissions ? ' with these permissions' : ''}.`;
      audit({ subject, summary: unchanged, changes: [], unchanged });
      return { member: presentMember(before) };
    }
    assertHoldsGrants(caller, [before, after], products, fail);
    await assertNotLastOwner(db, before, fail);
    // The member who sets the role of an open invitation answers for it.
    const inviterId = before.status === 'invited' ? caller.memberId : before.inviterId;
    await db.update(members, { id: memberId }, { role, permissions, inviterId, updatedAt: after.updatedAt });
    const becomesWeaker = roleRank(role) > roleRank(before.role) || losesPermissions(before, after, products);
    const lowered = becomesWeaker ? await use(keyIssuer).lowerKeys(accountId, memberId) : [];
    const endpoints = becomesWeaker ? await use(keyIssuer).endpointsOf(memberId) : [];
    const withdrawn = becomesWeaker ? await withdrawInvitations(db, before, after, products) : [];
    if (before.role === 'owner') await releaseOpenerAddress(db, before);
    const member = presentMember(after);
    audit({
      subject,
      summary: summaryOf(before, after),
      changes: [...changes, ...keyChanges(lowered), ...withdrawnChanges(withdrawn), ...endpointChanges(endpoints)],
    });
    emit('account.member.role_changed', { subjectId: memberId, data: { member } });
    for (const each of withdrawn)
      emit('account.member.removed', { subjectId: each.id, data: { member: presentMember(each) } });
    return { member };
  },
});

/** Whether the member may no longer do something that they could do before. */
function losesPermissions(before: MemberRow, after: MemberRow, products: readonly string[]): boolean {
  const held = new Set(permissionsGranted(after, products));
  return permissionsGranted(before, products).some((permission) => !held.has(permission));
}

function summaryOf(before: MemberRow, { role, permissions }: MemberRow): string {
  const { email, role: from } = before;
  if (from === role) return `Changed the permissions of ${email}.`;
  const narrowing = permissions === null ? '' : `, with ${permissions.join(', ')} only`;
  return `Changed the role of ${email} from ${from} to ${role}${narrowing}.`;
}
