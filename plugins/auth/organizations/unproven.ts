import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { IdentityRow } from '../tables/identity.js';
import { lockOrganizationsOf } from './deleted-user.js';
import { endMembership } from './members.js';
import { presentMember } from './resources.js';
import { countOwners } from './rules.js';
import { withdrawInvitations } from './withdraw.js';

/**
 * Ends the memberships that a user accepted with addresses other than the one that is now proven: another person proved
 * those. An organization keeps its last owner.
 * @param proven the identity that a first proof is about (proofs/first-proof.ts)
 * @returns the memberships, by the organization's id, for the audit record
 */
export async function endUnprovenMemberships(
  context: Context<'auth.org.member_removed' | 'auth.org.invite_revoked'>,
  environment: Environment,
  userId: string,
  proven: Pick<IdentityRow, 'kind' | 'identityKey'>,
): Promise<Change[]> {
  const { db, emit } = context;
  const accepted = await db.rows<{ organization_id: Buffer; email_key: Buffer }>(
    'SELECT organization_id, email_key FROM auth_org_invite WHERE accepted_by = ?',
    [idBytes(userId)],
  );
  const ofOthers = new Set(
    accepted
      .filter((row) => proven.kind !== 'email' || row.email_key.toString() !== proven.identityKey)
      .map((row) => idText(row.organization_id)),
  );
  if (ofOthers.size === 0) return [];
  const changes: Change[] = [];
  for (const { organization, member } of await lockOrganizationsOf(context, userId)) {
    if (!ofOthers.has(organization.id)) continue;
    if (member.role === 'owner' && (await countOwners(db, organization.id)) < 2) continue;
    await endMembership(context, member);
    changes.push({ field: `membership ${organization.id}`, from: member.role, to: null });
    changes.push(...(await withdrawInvitations(context, environment, organization.id, userId, null)));
    const data = { organizationId: organization.id, member: presentMember(member, null) };
    emit('auth.org.member_removed', { subjectId: organization.id, personId: userId, data }, environment);
  }
  return changes;
}
