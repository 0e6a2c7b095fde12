import type { Context } from '#core/kernel/context.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { factors } from '../tables/factor.js';
import { rememberStatement } from '../passwords/schemes.js';
import { identities } from '../tables/identity.js';
import { passwords } from '../tables/password.js';
import { users } from '../tables/user.js';
import { nameStatement, renamedStatement } from '../users/names.js';
import { presentUser } from '../users/resources.js';
import type { NewRows } from './create-rows.js';
import type { ChangedRows } from './update-rows.js';

/**
 * Writes new and changed users in a few statements, with an event for each.
 * @returns false if another call has taken an identity or external id in the meantime: in this case nothing is written
 */
export async function writeUsers(
  { db, clock, emit }: Context<'auth.user.created' | 'auth.user.updated'>,
  created: readonly NewRows[],
  changed: readonly ChangedRows[],
): Promise<boolean> {
  // The unique indexes decide between calls that import the same users at the same time. All calls insert in the same
  // order, so they do not deadlock.
  const inOrder = [...created].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  if (!(await insertUsers(db, inOrder))) return false;
  const added = [...inOrder.flatMap((each) => each.identities), ...changed.flatMap((each) => each.added)];
  if (!(await insertIdentities(db, inOrder, added))) return false;
  const statements: Statement[] = changed.map(({ after }) => users.updateRow({ id: after.id }, changedFields(after)));
  for (const { before, after } of changed)
    if (before.nameKey !== after.nameKey) statements.push(renamedStatement(after));
  const names = nameStatement(created.map(({ user }) => user));
  if (names) statements.push(names);
  const hashes = created.flatMap(({ password }) => password ?? []);
  if (hashes.length > 0) statements.push(passwords.insertRows(hashes));
  const [first] = hashes;
  const schemes =
    first &&
    rememberStatement(
      first.environmentId,
      hashes.map(({ hash }) => hash),
      clock.now(),
    );
  if (schemes) statements.push(schemes);
  const secrets = created.flatMap(({ factor }) => factor ?? []);
  if (secrets.length > 0) statements.push(factors.insertRows(secrets));
  if (statements.length > 0) {
    await db.defer(joined(statements));
  }
  const now = clock.now();
  for (const { user } of created)
    emit('auth.user.created', { subjectId: user.id, personId: user.id, data: { user: presentUser(user, now) } });
  for (const { after } of changed)
    emit('auth.user.updated', { subjectId: after.id, personId: after.id, data: { user: presentUser(after, now) } });
  return true;
}

const orderOf = ({ user, identities: [first] }: NewRows): string => user.externalId ?? first?.identityKey ?? '';

const changedFields = ({
  name,
  nameKey,
  externalId,
  metadata,
  email,
  emailKey,
  emailVerified,
  phone,
  phoneVerified,
  updatedAt,
}: ChangedRows['after']) => ({
  ...{ name, nameKey, externalId, metadata, email, emailKey, emailVerified, phone, phoneVerified, updatedAt },
});

async function insertUsers(db: Session, created: readonly NewRows[]): Promise<boolean> {
  if (created.length === 0) return true;
  const statement = users.insertRows(created.map(({ user }) => user));
  try {
    await db.run(statement);
    return true;
  } catch (error) {
    if (isDuplicate(error, 'external_id')) return false;
    throw error;
  }
}

async function insertIdentities(
  db: Session,
  created: readonly NewRows[],
  added: readonly NewRows['identities'][number][],
): Promise<boolean> {
  if (added.length === 0) return true;
  const statement = identities.insertRows(added);
  try {
    await db.run(statement);
    return true;
  } catch (error) {
    if (!isDuplicate(error, 'identity_key')) throw error;
    const ids = created.map(({ user }) => idBytes(user.id));
    if (ids.length > 0) await db.run('DELETE FROM auth_user WHERE id IN (?)', [ids]);
    return false;
  }
}
