import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { refreshPrimary } from '../identities/primary.js';
import { endSessions } from '../sessions/end.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import type { UserRow } from '../tables/user.js';
import { lockUser } from './find.js';
import { presentUser } from './present.js';

type FirstProofContext = Context<'auth.user.updated' | 'auth.session.revoked'>;

/**
 * Marks an identity as proven that a server had stored without a proof. If the user was stored with nothing proven, anybody may have used the
 * account until now, with a password that they chose at the former system: what gives access to it, and was not part of the user as they were
 * stored, is dropped, and their sessions end.
 * @returns the user as they are now; null where they are gone
 */
export async function proveStoredIdentity(
  context: FirstProofContext,
  environment: Environment,
  { id, userId }: IdentityRow,
): Promise<UserRow | null> {
  const { db, clock, emit } = context;
  const now = clock.now();
  const before = await lockUser(db, environment.id, userId);
  if (!before) return null;
  if (!(await hasProvenOrigin(context, before))) await dropUnproven(context, environment, before);
  await db.update(identities, { id }, { verifiedAt: now });
  const user = await refreshPrimary(db, before, now);
  if (user !== before)
    emit(
      'auth.user.updated',
      { subjectId: user.id, personId: user.id, data: { user: presentUser(user, now) } },
      environment,
    );
  return user;
}

/** Whether one of the identities that the user was stored with has been proven. */
async function hasProvenOrigin({ db }: FirstProofContext, user: UserRow): Promise<boolean> {
  const rows = await db.find(identities, { userId: user.id });
  return rows.some(({ verifiedAt, byUser }) => verifiedAt !== null && !byUser);
}

async function dropUnproven(context: FirstProofContext, environment: Environment, user: UserRow): Promise<void> {
  const { db } = context;
  const id = idBytes(user.id);
  await db.run('DELETE FROM auth_identity WHERE user_id = ? AND by_user = 1', [id]);
  for (const table of ['auth_password', 'auth_passkey', 'auth_factor', 'auth_recovery_code'])
    await db.run(`DELETE FROM ${table} WHERE user_id = ?`, [id]);
  await endSessions(context, environment, { userId: user.id }, 'revoked');
}
