import { isTenant } from '#core/kernel/caller/caller.js';
import { publicPermission } from '#core/kernel/caller/permissions.js';
import type { Context } from '#core/kernel/context.js';
import type { KeyIssuer } from '#core/kernel/ports.js';
import { grantAll } from './grant-all.js';
import { madeEndpoints } from '../webhooks/made-endpoints.js';
import { insertKey } from './insert-key.js';
import { lowerAll } from './lower-all.js';
import { lowerKeys } from './lower-keys.js';
import { reloadCaller, stillHolds } from './reload-caller.js';

/** The kernel's key issuer: works in the transaction that opens an environment, or lowers or removes a member. */
export function makeKeyIssuer(context: Context<'developers.key.updated', 'last_key'>): KeyIssuer {
  const { db, clock, caller } = context;
  const createdBy = isTenant(caller) || caller.kind === 'system' ? caller.label : 'account.signup';
  return {
    async issueFirst({ environment, permissions, role, memberId }) {
      const made = {
        createdBy,
        createdIp: caller.request.ip === '' ? null : caller.request.ip,
        createdAt: clock.now(),
      };
      const shared = { environment, allowedOrigins: null, role, memberId, ...made };
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
    grantAll: (keyId) => grantAll(context, keyId),
    lowerKeys: (accountId, memberId) => lowerKeys(context, accountId, memberId),
    endpointsOf: (memberId) => madeEndpoints(db, { memberId }),
    lowerAll: (accountId) => lowerAll(context, accountId),
    reloadCaller: (stale, needs) => reloadCaller(context, stale, needs),
    stillHolds: (holder, environment, permission) => stillHolds(context, holder, environment, permission),
  };
}
