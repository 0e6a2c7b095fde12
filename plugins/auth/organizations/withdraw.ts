import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { orgInvites } from '../tables/org-invite.js';
import { presentInvite } from './resources.js';
import type { OrgRole } from '../tables/org-member.js';
import { mayActOn } from './rules.js';

/**
 * Withdraws the open invitations of a person who was removed from a locked organization, lowered in it, or banned:
 * those that they could no longer send. An invitation does not outlive its sender's power. There are few, because they
 * work for a week and an organization sends at most 50 an hour.
 * @param remaining the person's remaining role; null for none
 * @returns the invitations, by id, for the audit record
 */
export async function withdrawInvitations(
  { db, clock, emit }: Context<'auth.org.invite_revoked'>,
  environment: Environment,
  organizationId: string,
  userId: string,
  remaining: OrgRole | null,
): Promise<Change[]> {
  const now = clock.now();
  const found = await db.rows<object>(
    `SELECT ${orgInvites.columnList()} FROM auth_org_invite
     WHERE organization_id = ? AND open_key IS NOT NULL AND invited_by = ? AND expires_at > ? FOR UPDATE`,
    [idBytes(organizationId), idBytes(userId), now],
  );
  const withdrawn = found
    .map((row) => orgInvites.decode(row))
    .filter(({ role }) => remaining === null || !mayActOn(remaining, [role]));
  if (withdrawn.length === 0) return [];
  await db.run('UPDATE auth_org_invite SET revoked_at = ?, open_key = NULL, token_sealed = NULL WHERE id IN (?)', [
    now,
    withdrawn.map(({ id }) => idBytes(id)),
  ]);
  const people = await db.rows<{ identity_key: Buffer; user_id: Buffer }>(
    `SELECT identity_key, user_id FROM auth_identity WHERE environment_id = ? AND kind = 'email' AND identity_key IN (?)`,
    [idBytes(environment.id), withdrawn.map(({ emailKey }) => Buffer.from(emailKey))],
  );
  const personOf = new Map(people.map((row) => [row.identity_key.toString(), idText(row.user_id)]));
  for (const row of withdrawn) {
    const personId = personOf.get(row.emailKey);
    const data = { organizationId, invite: presentInvite({ ...row, revokedAt: now }) };
    emit('auth.org.invite_revoked', { subjectId: row.id, ...(personId && { personId }), data }, environment);
  }
  // By id, because an erasure of the invited person would not find an address in another person's record.
  return withdrawn.map(({ id }) => ({ field: `invitation ${id}`, from: null, to: now.toISOString() }));
}
