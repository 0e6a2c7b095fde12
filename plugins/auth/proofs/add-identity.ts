import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import type { ChallengeRow } from '../tables/challenge.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import type { UserRow } from '../tables/user.js';
import { findIdentity } from '../users/find.js';
import { capReached } from '../identities/cap.js';
import { hasProvenOrigin } from '../identities/origin.js';
import { refreshPrimary } from '../identities/primary.js';
import { movedIdentity, releaseIdentity } from './release.js';

/**
 * Adds the address or number of a completed challenge to a user. The unique index decides between users who prove the
 * same one at the same time. If another user has the identity unproven, in addition to a proven origin, the identity
 * moves to this user.
 * @param user locked
 * @returns the identity, the current user and, if the identity moved, what that changed, for the audit record; `taken`
 *   if another user has it; the values of `limit_reached` if the user has too many
 */
export async function addProvenIdentity(
  context: Context<'auth.identity.removed' | 'auth.user.updated' | 'auth.session.revoked'>,
  environment: Environment,
  user: UserRow,
  { id, identityKind, identityKey, identityValue }: ChallengeRow,
): Promise<
  { user: UserRow; row: IdentityRow; moved: Change[] } | 'taken' | { limit: number; things: string; nextStep: string }
> {
  const { db, clock } = context;
  if (identityKey === null || identityValue === null || (identityKind !== 'email' && identityKind !== 'phone'))
    throw new Error(`The challenge ${id} does not prove an address or number.`);
  const known = await findIdentity(db, user.environmentId, { kind: identityKind, key: identityKey });
  const full = known ? null : await capReached(db, user.id, identityKind);
  if (full) return full;
  const now = clock.now();
  const made: IdentityRow = {
    id: newId(),
    environmentId: user.environmentId,
    userId: user.id,
    kind: identityKind,
    identityKey,
    value: identityValue,
    provider: null,
    verifiedAt: now,
    isPrimary: false,
    byUser: !(await hasProvenOrigin(db, user.id)),
    createdAt: now,
  };
  const moved: Change[] = [];
  try {
    await db.insert(identities, made);
  } catch (error) {
    if (!isDuplicate(error, 'identity_key')) throw error;
    const other = await findIdentity(db, user.environmentId, { kind: identityKind, key: identityKey }, ' FOR UPDATE');
    if (other?.userId === user.id) {
      await db.update(identities, { id: other.id }, { verifiedAt: other.verifiedAt ?? now });
      made.id = other.id;
    } else {
      if (!other || other.verifiedAt !== null || !(await hasProvenOrigin(db, other.userId))) return 'taken';
      const ended = await releaseIdentity(context, environment, other);
      moved.push(movedIdentity(other, user.id), ...ended);
      await db.insert(identities, made);
    }
  }
  const after = await refreshPrimary(db, user, now);
  const row = await db.findOne(identities, { id: made.id });
  if (!row) throw new Error(`The identity ${made.id} is missing right after it was added.`);
  return { user: after, row, moved };
}
