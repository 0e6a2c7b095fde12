import type { Session } from '#core/runtime/database/session.js';
import { phoneKey } from '#core/kernel/schema/phone.js';
import { idBytes } from '#core/runtime/id.js';
import { identityKeys } from '../identities/normalize.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import { users, type UserRow } from '../tables/user.js';
import { identityName, type ImportRow } from './row.js';

/** The users and identities of the environment that the rows of an import refer to. */
export interface ExistingUsers {
  readonly byExternalId: ReadonlyMap<string, UserRow>;
  readonly byId: ReadonlyMap<string, UserRow>;
  /** By `identityName`. */
  readonly identities: ReadonlyMap<string, IdentityRow>;
}

/** Finds them in four statements, and locks the users until COMMIT. */
export async function findExisting(
  db: Session,
  environmentId: string,
  rows: readonly ImportRow[],
): Promise<ExistingUsers> {
  const found = [
    ...(await identitiesOf(db, environmentId, 'email', rows)),
    ...(await identitiesOf(db, environmentId, 'phone', rows)),
  ];
  const externalIds = rows.flatMap(({ externalId }) => (externalId === null ? [] : [Buffer.from(externalId)]));
  const named =
    externalIds.length === 0
      ? []
      : await db.rows<{ id: Buffer }>('SELECT id FROM auth_user WHERE environment_id = ? AND external_id IN (?)', [
          idBytes(environmentId),
          externalIds,
        ]);
  const ids = [...named.map(({ id }) => id), ...found.map(({ userId }) => idBytes(userId))];
  const locked =
    ids.length === 0
      ? []
      : await db.rows<object>(
          `SELECT ${users.columnList()} FROM auth_user WHERE environment_id = ? AND id IN (?) ORDER BY id FOR UPDATE`,
          [idBytes(environmentId), ids],
        );
  const all = locked.map((row) => users.decode(row));
  return {
    byId: new Map(all.map((user) => [user.id, user])),
    byExternalId: new Map(all.flatMap((user) => (user.externalId === null ? [] : [[user.externalId, user]]))),
    identities: new Map(
      found.map((identity) => [identityName({ kind: identity.kind, key: keyOf(identity) }), identity]),
    ),
  };
}

/** A number is found by the key that its rows have today. */
const keyOf = ({ kind, identityKey }: IdentityRow): string => (kind === 'phone' ? phoneKey(identityKey) : identityKey);

async function identitiesOf(
  db: Session,
  environmentId: string,
  kind: 'email' | 'phone',
  rows: readonly ImportRow[],
): Promise<IdentityRow[]> {
  const keys = rows.flatMap((row) =>
    row.identities
      .filter((each) => each.kind === kind)
      .flatMap((each) => identityKeys(each).map((key) => Buffer.from(key))),
  );
  if (keys.length === 0) return [];
  const found = await db.rows<object>(
    `SELECT ${identities.columnList()} FROM auth_identity WHERE environment_id = ? AND kind = ? AND identity_key IN (?)`,
    [idBytes(environmentId), kind, keys],
  );
  return found.map((row) => identities.decode(row));
}
