import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import { sendSecurityNotice } from '../mails/send.js';
import { endingChanges, endSessions, openedBy } from '../sessions/end.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import { lockUser } from '../users/find.js';
import { presentUser } from '../users/resources.js';
import { nameOf } from '../identities/own.js';
import { presentIdentity } from '../identities/resources.js';
import { refreshPrimary } from '../identities/primary.js';

/**
 * Removes an unproven identity from a user who has a proven origin, because another person has proven it: an unproven
 * identity reserves nothing. The user keeps everything else, and is informed.
 * @returns the ended sessions, for the audit record
 */
export async function releaseIdentity(
  context: Context<'auth.identity.removed' | 'auth.user.updated' | 'auth.session.revoked'>,
  environment: Environment,
  row: IdentityRow,
): Promise<Change[]> {
  const { db, clock, emit } = context;
  const before = await lockUser(db, environment.id, row.userId);
  await db.remove(identities, { id: row.id });
  if (!before) return [];
  const now = clock.now();
  const user = await refreshPrimary(db, before, now);
  const ended = await endSessions(context, environment, { userId: user.id, where: openedBy(row) }, 'revoked');
  const about = { subjectId: user.id, personId: user.id };
  emit('auth.identity.removed', { ...about, data: { userId: user.id, identity: presentIdentity(row) } }, environment);
  if (user !== before) emit('auth.user.updated', { ...about, data: { user: presentUser(user, now) } }, environment);
  await sendSecurityNotice(context, environment, user, 'identity_removed', { what: nameOf(row) });
  return endingChanges(ended);
}

/** That an identity has moved from its user to another one, for the audit record. */
export const movedIdentity = ({ userId: from }: Pick<IdentityRow, 'userId'>, to: string): Change => ({
  field: 'identities',
  from: { userId: from },
  to: { userId: to },
});
