import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { identityKeys, type IdentityFacts } from '../identities/normalize.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import type { Session } from '#core/runtime/database/session.js';
import { users, type UserRow } from '../tables/user.js';
import type { UserCaller } from '#core/kernel/caller/caller.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';

/** The user with this id; null if the environment has none. For an id of the input, `findOwned` answers not_found. */
export const findUser = (db: ReadSession, environmentId: string, id: string): Promise<UserRow | null> =>
  db.findOne(users, { id, environmentId });

/**
 * The same, locked until the transaction ends. Every call that opens a session reads its user like this: a concurrent
 * ban or deletion is visible here, or waits and ends the new session too. The lock is exclusive, because a sign-in
 * changes the row at its end.
 */
export async function lockUser(db: Session, environmentId: string, id: string): Promise<UserRow | null> {
  const [found] = await db.prepared<object>(
    `SELECT ${users.columnList()} FROM auth_user WHERE id = ? AND environment_id = ? FOR UPDATE`,
    [idBytes(id), idBytes(environmentId)],
  );
  return found ? users.decode(found) : null;
}

/** The condition on `identity_key`, its values, and what follows it if several rows can match. */
function byKey(
  column: string,
  facts: Pick<IdentityFacts, 'kind' | 'key'>,
): { sql: string; last: string; keys: Buffer[] } {
  const keys = identityKeys(facts).map((key) => Buffer.from(key));
  return keys.length === 1
    ? { sql: `${column} = ?`, last: '', keys }
    : { sql: `${column} IN (${keys.map(() => '?').join(', ')})`, last: ' ORDER BY created_at, id LIMIT 1', keys };
}

/**
 * The identity with this address, number or provider account, in one indexed read.
 * @param locking '' or ' FOR UPDATE', which also waits for a concurrent COMMIT
 */
export async function findIdentity(
  db: ReadSession,
  environmentId: string,
  { kind, key }: Pick<IdentityFacts, 'kind' | 'key'>,
  locking: '' | ' FOR UPDATE' = '',
): Promise<IdentityRow | null> {
  const { sql, last, keys } = byKey('identity_key', { kind, key });
  const [found] = await db.prepared<object>(
    `SELECT ${identities.columnList()} FROM auth_identity WHERE environment_id = ? AND kind = ? AND ${sql}${last}${locking}`,
    [idBytes(environmentId), kind, ...keys],
  );
  return found ? identities.decode(found) : null;
}

/** The user who has this address, number or provider account, in one indexed read; null if nobody has it. */
export async function findUserByIdentity(
  db: ReadSession,
  environmentId: string,
  { kind, key }: Pick<IdentityFacts, 'kind' | 'key'>,
): Promise<UserRow | null> {
  const { sql, last, keys } = byKey('identity_key', { kind, key });
  const [found] = await db.prepared<object>(
    `SELECT ${users.columnList('u')} FROM auth_user u WHERE u.id = (
       SELECT user_id FROM auth_identity WHERE environment_id = ? AND kind = ? AND ${sql}${last})`,
    [idBytes(environmentId), kind, ...keys],
  );
  return found ? users.decode(found) : null;
}

/**
 * The user who has this address, number or provider account, and that identity, both locked until the transaction ends.
 * The user is locked first, as in every call that changes a user's identities or deletes the user: in the other order,
 * the two would wait for each other. In one round trip.
 * @returns null if nobody has it
 */
export async function lockUserByIdentity(
  db: Session,
  environmentId: string,
  { kind, key }: Pick<IdentityFacts, 'kind' | 'key'>,
): Promise<{ user: UserRow; identity: IdentityRow } | null> {
  // The rows of a subquery are not locked.
  const { sql, last, keys } = byKey('identity_key', { kind, key });
  const locking = db.prepared<object>(
    `SELECT ${users.columnList()} FROM auth_user WHERE id = (
       SELECT user_id FROM auth_identity WHERE environment_id = ? AND kind = ? AND ${sql}${last}) FOR UPDATE`,
    [idBytes(environmentId), kind, ...keys],
  );
  const [[found], identity] = await Promise.all([
    locking,
    findIdentity(db, environmentId, { kind, key }, ' FOR UPDATE'),
  ]);
  if (!identity) return null;
  const locked = found ? users.decode(found) : null;
  // It belongs to another user now: it was given to them while this user was being locked.
  const user = locked?.id === identity.userId ? locked : await lockUser(db, environmentId, identity.userId);
  return user && { user, identity };
}

/**
 * The signed-in user's row, locked until the transaction ends, so that changes to how they sign in run one after the
 * other.
 * @throws token_invalid if the user was deleted since the token was checked
 */
export function lockOwnUser(db: Session, caller: UserCaller): Promise<UserRow> {
  return lockOwned(db, users, caller, caller.user.userId).catch((error: unknown) => {
    throw error instanceof SvcError && error.code === 'not_found' ? refusalOf.token_invalid() : error;
  });
}
