import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { endWaitingSignIns } from '../challenges/waiting.js';
import { presentFactor } from '../factors/resources.js';
import { presentIdentity } from '../identities/resources.js';
import { refreshPrimary } from '../identities/primary.js';
import { endUnprovenMemberships } from '../organizations/unproven.js';
import { presentPasskey } from '../passkeys/store.js';
import { endingChanges, endSessions } from '../sessions/end.js';
import { factors } from '../tables/factor.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import { passkeys } from '../tables/passkey.js';
import type { UserRow } from '../tables/user.js';
import { presentUser } from '../users/resources.js';

/** The events of the access that a first proof ends. */
export const firstProofEvents = [
  'auth.user.updated',
  'auth.session.revoked',
  'auth.identity.removed',
  'auth.password.removed',
  'auth.passkey.removed',
  'auth.factor.removed',
  'auth.org.member_removed',
  'auth.org.invite_revoked',
] as const;

type FirstProofContext = Context<(typeof firstProofEvents)[number]>;

/**
 * Gives a user for whom nothing was proven (see `hasProvenOrigin`) to the person who has just proven one of the user's
 * stored identities. Until now anyone may have used the user, with a password chosen at the former system: all other
 * access ends, with an event for each part of it.
 * @param user locked
 * @returns the current user, and what ended, for the audit record
 */
export async function proveStoredIdentity(
  context: FirstProofContext,
  environment: Environment,
  user: UserRow,
  identity: IdentityRow,
): Promise<{ user: UserRow; changes: Change[] }> {
  const { db, clock, emit } = context;
  const now = clock.now();
  const changes = await endOtherAccess(context, environment, user, identity);
  await db.update(identities, { id: identity.id }, { verifiedAt: now });
  const after = await refreshPrimary(db, user, now);
  if (after !== user)
    emit(
      'auth.user.updated',
      { subjectId: after.id, personId: after.id, data: { user: presentUser(after, now) } },
      environment,
    );
  return { user: after, changes };
}

async function endOtherAccess(
  context: FirstProofContext,
  environment: Environment,
  { id: userId }: UserRow,
  proven: IdentityRow,
): Promise<Change[]> {
  const { db, emit } = context;
  const about = { subjectId: userId, personId: userId };
  const removal = (field: string, from: string): Change => ({ field, from, to: null });
  const changes: Change[] = [];
  changes.push(...(await endUnprovenMemberships(context, environment, userId, proven)));

  const added = (await db.find(identities, { userId })).filter(({ byUser }) => byUser);
  const ownPasskeys = await db.find(passkeys, { userId });
  const ownFactors = await db.find(factors, { userId });
  await db.run('DELETE FROM auth_identity WHERE user_id = ? AND by_user = 1', [idBytes(userId)]);
  for (const table of ['auth_passkey', 'auth_factor', 'auth_recovery_code'])
    await db.run(`DELETE FROM ${table} WHERE user_id = ?`, [idBytes(userId)]);
  const { affectedRows: hadPassword } = await db.run('DELETE FROM auth_password WHERE user_id = ?', [idBytes(userId)]);

  for (const row of added) {
    emit('auth.identity.removed', { ...about, data: { userId, identity: presentIdentity(row) } }, environment);
    changes.push(removal('identities', row.value));
  }
  if (hadPassword > 0) {
    emit('auth.password.removed', { ...about, data: { userId } }, environment);
    changes.push(removal('password', 'set'));
  }
  for (const row of ownPasskeys) {
    emit('auth.passkey.removed', { ...about, data: { userId, passkey: presentPasskey(row) } }, environment);
    changes.push(removal('passkeys', row.name));
  }
  for (const row of ownFactors) {
    emit('auth.factor.removed', { ...about, data: { userId, factor: presentFactor(row) } }, environment);
    changes.push(removal('factors', row.status));
  }
  await endWaitingSignIns(context, userId);
  changes.push(...endingChanges(await endSessions(context, environment, { userId }, 'revoked')));
  return changes;
}
