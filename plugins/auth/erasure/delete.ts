import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import type { AddressHolder } from '#core/kernel/person.js';
import { remainingOf } from '#core/kernel/erasure/remaining.js';
import { erasure } from '#core/kernel/ports.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { lockOrganizationsOf, removeDeletedUser } from '../organizations/deleted-user.js';
import { endSessions } from '../sessions/end.js';
import { erasedUsers, type ErasedUserRow } from '../tables/erased-user.js';
import type { UserRow } from '../tables/user.js';
import { identitiesOf } from '../factors/user-details.js';
import { tablesOfUser } from './tables-of-user.js';
import type { UserWithPrivateMetadataValue } from '../users/resources.js';

/**
 * Deletes a user whose row the caller has locked: sessions end, organizations pass to other members, and the kernel
 * erases everything that identifies the person. Audit and consent records stay, without the person.
 * @returns the user's entry among the erased users, other holders of the user's addresses, and the invitations that
 *   were withdrawn, for the audit record
 */
export async function deleteUser(
  context: Context<
    | 'auth.user.deleted'
    | 'auth.session.revoked'
    | 'auth.org.member_updated'
    | 'auth.org.deleted'
    | 'auth.org.invite_revoked'
  >,
  environment: Environment,
  user: UserRow,
): Promise<{ entry: ErasedUserRow; remaining: AddressHolder[]; withdrawn: Change[] }> {
  const { db, clock, use, emit } = context;
  const id = idBytes(user.id);
  const withdrawn: Change[] = [];
  for (const each of await lockOrganizationsOf(context, user.id))
    withdrawn.push(...(await removeDeletedUser(context, environment, each)));
  await endSessions(context, environment, { userId: user.id }, 'deleted');
  const identities = await identitiesOf(db, user.id);
  const entry = { userId: user.id, environmentId: environment.id, createdAt: user.createdAt, erasedAt: clock.now() };
  await db.run(
    joined([
      ...tablesOfUser.map((table) => ({ sql: `DELETE FROM ${table} WHERE user_id = ?`, parameters: [id] })),
      { sql: 'DELETE FROM auth_user WHERE id = ?', parameters: [id] },
      erasedUsers.insertRows([entry]),
    ]),
  );
  const emails = identities.filter(({ kind }) => kind === 'email').map(({ value }) => value);
  const phones = identities.filter(({ kind }) => kind === 'phone').map(({ value }) => value);
  // A request contains one address of each kind. Even without an address, everything that carries the user's id is
  // erased.
  const holders: AddressHolder[] = [];
  const externalId = user.externalId === null ? undefined : { product: 'auth', value: user.externalId };
  for (let index = 0; index < Math.max(emails.length, phones.length, 1); index += 1) {
    const [email = null, phone = null] = [emails[index], phones[index]];
    holders.push(...(await use(erasure).request({ environment, personId: user.id, email, phone, externalId })));
  }
  emit('auth.user.deleted', { subjectId: user.id, data: { userId: user.id } }, environment);
  return { entry, remaining: remainingOf(holders), withdrawn };
}

/** What remains of a user who was deleted: their id. */
export const presentErased = ({ userId, createdAt, erasedAt }: ErasedUserRow): UserWithPrivateMetadataValue => ({
  id: userId,
  email: null,
  emailVerified: false,
  phone: null,
  phoneVerified: false,
  name: null,
  pictureUrl: null,
  locale: null,
  externalId: null,
  userMetadata: {},
  metadata: {},
  banReason: null,
  privateMetadata: {},
  bannedAt: null,
  bannedUntil: null,
  lastSignInAt: null,
  createdAt: createdAt.toISOString(),
  updatedAt: erasedAt.toISOString(),
});
