import { joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { laterParts } from '../search/key.js';
import { userNames } from '../tables/user-name.js';
import type { UserRow } from '../tables/user.js';

type Named = Pick<UserRow, 'id' | 'environmentId' | 'nameKey'>;

const partsOf = ({ nameKey }: Named): string[] => (nameKey === null ? [] : [...new Set(laterParts(nameKey))]);

/**
 * The rows by which searches find new users, in addition to the users themselves; undefined if no name has a second
 * word.
 */
export function nameStatement(users: readonly Named[]): Statement | undefined {
  const rows = users.flatMap((user) =>
    partsOf(user).map((part) => ({ environmentId: user.environmentId, part, userId: user.id })),
  );
  return rows.length > 0 ? userNames.insertRows(rows) : undefined;
}

/** Replaces a user's rows after the name changes. */
export function renamedStatement(user: Named): Statement {
  const added = nameStatement([user]);
  return joined([
    { sql: 'DELETE FROM auth_user_name WHERE user_id = ?', parameters: [idBytes(user.id)] },
    ...(added ? [added] : []),
  ]);
}
