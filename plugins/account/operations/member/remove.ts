import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { keyIssuer } from '#core/kernel/ports.js';
import { lockAccount } from '../../tables/account.js';
import { withdrawInvitations, withdrawnChanges } from '../../members/open-invitations.js';
import {
  endpointChanges,
  keyChanges,
  assertOwnerFor,
  assertNotLastOwner,
  releaseOpenerAddress,
} from '../../members/rules.js';
import { members } from '../../tables/member.js';
import { presentMember, exampleMember, Member } from '../../members/resources.js';

export default defineOperation({
  name: 'account.member.remove',
  summary:
    'Removes a member or withdraws an invitation. The member’s dashboard sessions lose access to the account immediately.',
  description:
    'Keys that the member created or rotated keep working with at most the developer role, without developers:write. Open invitations that the member sent are withdrawn. The audit record lists both, and also the webhook endpoints that the member created, which keep receiving events.',
  keywords: 'colleague teammate kick offboard',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  accountWide: true,
  input: object({ memberId: uuid('The member to remove, or the invitation to withdraw.') }),
  output: object({ member: Member }),
  errors: ['owner_only', 'last_owner', 'last_key'],
  events: ['account.member.removed'],
  example: { input: { memberId: exampleMember.id }, output: { member: { ...exampleMember, status: 'removed' } } },

  async handle({ memberId }, { db, caller: stale, deployment, use, fail, emit, audit }) {
    const { accountId } = stale.environment;
    await lockAccount(db, stale);
    const caller = await use(keyIssuer).reloadCaller(stale, {
      operation: 'account.member.remove',
      permission: 'account:write',
    });
    const before = await findOwned(db, members, caller, memberId);
    const { status, email } = before;
    const subject = { type: 'member', id: memberId };
    if (status === 'removed') {
      const unchanged = `${email} was already removed.`;
      audit({ subject, summary: unchanged, changes: [], unchanged });
      return { member: presentMember(before) };
    }
    assertOwnerFor(caller, [before.role], fail);
    await assertNotLastOwner(db, before, fail);
    // The digest is kept so that the link answers invite_revoked. The token is not, because the link is never sent
    // again.
    await db.update(members, { id: memberId }, { status: 'removed', inviteSealed: null });
    const lowered = await use(keyIssuer).lowerKeys(accountId, memberId);
    const endpoints = await use(keyIssuer).endpointsOf(memberId);
    const withdrawn = await withdrawInvitations(db, before, null, deployment.products);
    await releaseOpenerAddress(db, before);
    const member = presentMember({ ...before, status: 'removed' });
    audit({
      subject,
      summary: status === 'invited' ? `Withdrew the invitation of ${email}.` : `Removed ${email}.`,
      changes: [
        { field: 'status', from: status, to: 'removed' },
        ...keyChanges(lowered),
        ...withdrawnChanges(withdrawn),
        ...endpointChanges(endpoints),
      ],
    });
    emit('account.member.removed', { subjectId: memberId, data: { member } });
    for (const each of withdrawn)
      emit('account.member.removed', { subjectId: each.id, data: { member: presentMember(each) } });
    return { member };
  },
});
