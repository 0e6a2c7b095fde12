import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import type { UserAddresses } from '../ports.js';
import { identities } from '../tables/identity.js';

/** Provides the port `userAddresses`. */
export const makeUserAddresses = ({ db }: Pick<Context, 'db'>): UserAddresses => ({
  async verifiedEmails(environmentId, userIds) {
    if (userIds.length === 0) return new Map();
    const rows = await db.rows<object>(
      `SELECT ${identities.columnList()} FROM auth_identity
       WHERE environment_id = ? AND user_id IN (?) AND kind = 'email' AND verified_at IS NOT NULL ORDER BY is_primary DESC, id`,
      [idBytes(environmentId), [...new Set(userIds)].map(idBytes)],
    );
    const found = new Map<string, string[]>();
    for (const { userId, value } of rows.map((row) => identities.decode(row)))
      found.set(userId, [...(found.get(userId) ?? []), value]);
    return found;
  },
});
