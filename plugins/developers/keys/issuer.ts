import { roles } from '#core/kernel/caller/caller.js';
import { publicPermission, roleRank } from '#core/kernel/caller/permissions.js';
import type { Context } from '#core/kernel/context.js';
import type { KeyIssuer } from '#core/kernel/ports.js';
import { isTenant } from '#core/kernel/caller/caller.js';
import { idBytes } from '#core/runtime/id.js';
import { insertKey } from './keys.js';

/** The kernel's key issuer, in the transaction that opens an environment or lowers a member. */
export function makeKeyIssuer({ db, clock, caller }: Context): KeyIssuer {
  const createdBy = isTenant(caller) || caller.kind === 'system' ? caller.label : 'account.signup';
  return {
    async issueFirst({ environment, permissions, role, memberId }) {
      const shared = { environment, allowedOrigins: null, role, memberId, createdBy, createdAt: clock.now() };
      const secret = await insertKey(db, {
        ...shared,
        name: 'First key',
        kind: 'secret',
        permissions: [...permissions],
      });
      const publishable = await insertKey(db, {
        ...shared,
        name: 'First publishable key',
        kind: 'publishable',
        permissions: [publicPermission],
      });
      return { secret: secret.plaintext, publishable: publishable.plaintext };
    },
    async lowerKeys(accountId, memberId, role) {
      const stronger = roles.filter((each) => roleRank(each) < roleRank(role)).map((each) => Buffer.from(each));
      if (stronger.length === 0) return;
      await db.run(
        `UPDATE developers_key SET role = ? WHERE member_id = ? AND role IN (?)
         AND environment_id IN (SELECT id FROM svc_environment WHERE account_id = ?)`,
        [Buffer.from(role), idBytes(memberId), stronger, idBytes(accountId)],
      );
    },
  };
}
