import { permissionsGranted, type Grant } from '#core/kernel/caller/permissions.js';
import type { Change } from '#core/kernel/context.js';
import type { Session } from '#core/runtime/database/session.js';
import { members, type MemberRow } from '../tables/member.js';

/*
 * An open invitation is only as strong as the member who answers for it: the one who last sent it or set its role.
 * Otherwise a member who is about to be removed could invite a second address of theirs and return with the role they
 * lost.
 */

/**
 * Whether a member with the grant `inviter` could send an invitation to `invited`. These are the rules of
 * account.member.invite.
 */
function mayInvite(inviter: Grant, invited: Grant, products: readonly string[]): boolean {
  const held = permissionsGranted(inviter, products);
  if (!held.includes('account:write') || (invited.role === 'owner' && inviter.role !== 'owner')) return false;
  return permissionsGranted(invited, products).every((permission) => held.includes(permission));
}

/**
 * Withdraws a member's open invitations that exceed the member's remaining power. Call this with the account locked.
 * @param remaining what the member may do from now on; null if the member is removed
 * @param products the enabled products
 * @returns the withdrawn invitations
 */
export async function withdrawInvitations(
  db: Session,
  { id, accountId }: Pick<MemberRow, 'id' | 'accountId'>,
  remaining: Grant | null,
  products: readonly string[],
): Promise<MemberRow[]> {
  const open = await db.find(members, { accountId, inviterId: id, status: 'invited' });
  const exceeding = open.filter((each) => remaining === null || !mayInvite(remaining, each, products));
  const withdrawn: MemberRow[] = [];
  for (const invitation of exceeding) {
    // Accepting does not lock the account: a person who has accepted in the meantime stays a member.
    const where = { id: invitation.id, status: 'invited' as const };
    if ((await db.update(members, where, { status: 'removed', inviteSealed: null })) > 0)
      withdrawn.push({ ...invitation, status: 'removed' });
  }
  return withdrawn;
}

/** For the audit record of the member who was removed or lowered. */
export const withdrawnChanges = (withdrawn: readonly MemberRow[]): Change[] =>
  withdrawn.length === 0
    ? []
    : [{ field: 'invitations', from: withdrawn.map(({ id, email, role }) => ({ id, email, role })), to: [] }];
