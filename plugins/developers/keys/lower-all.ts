import type { Environment, Role } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { lockEnvironments } from '#core/kernel/environment/environment.js';
import type { LoweredAccount } from '#core/kernel/ports.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { keys } from '../tables/key.js';
import { madeEndpoints } from '../webhooks/endpoints.js';
import { lowered, strongestRole, summaryOf } from './lower-keys.js';
import { administration } from './rules.js';

/** What the keys lose in addition to their role. */
const lost = [administration, 'account:write'] as const;

/** More keys are counted but not listed: an account can have thousands. */
const maxListed = 200;

const ofAccount = `JOIN svc_environment e ON e.id = k.environment_id
  WHERE e.account_id = ? AND k.kind = 'secret' AND k.revoked_at IS NULL`;

/** See `KeyIssuer.lowerAll`. */
export async function lowerAll({ db }: Pick<Context, 'db'>, accountId: string): Promise<LoweredAccount> {
  await lockEnvironments(db, accountId);
  const account = idBytes(accountId);
  const rows = await db.rows<{ environment_kind: Buffer }>(
    `SELECT ${keys.columnList('k')}, e.kind AS environment_kind FROM developers_key k ${ofAccount} ORDER BY k.id LIMIT ?`,
    [account, maxListed],
  );
  const [counted] = await db.rows<{ found: number }>(`SELECT COUNT(*) AS found FROM developers_key k ${ofAccount}`, [
    account,
  ]);
  await lowerRows(db, account);
  return {
    keys: rows.map((row) => {
      const key = keys.decode(row);
      const { prefix, createdAt, createdIp } = key;
      const facts = { prefix, kind: kindFrom(row.environment_kind), createdAt, createdIp };
      return { before: summaryOf(key), after: summaryOf(lowered(key, lost)), ...facts };
    }),
    keyCount: counted?.found ?? 0,
    endpoints: await madeEndpoints(db, { accountId }),
  };
}

const kindFrom = (stored: Buffer): Environment['kind'] => (stored.toString() === 'live' ? 'live' : 'test');

const strongerRoles: readonly Role[] = ['owner', 'admin'];

async function lowerRows(db: Session, account: Buffer): Promise<void> {
  const update = (set: string, where: string, values: readonly (Buffer | Buffer[])[]): Promise<unknown> =>
    db.run(
      `UPDATE developers_key k JOIN svc_environment e ON e.id = k.environment_id SET ${set}
       WHERE e.account_id = ? AND k.kind = 'secret' AND k.revoked_at IS NULL AND ${where}`,
      [...values],
    );
  const stronger = strongerRoles.map((role) => Buffer.from(role));
  await update(`k.role = '${strongestRole}'`, 'k.role IN (?)', [account, stronger]);
  for (const permission of lost) {
    const place = `JSON_SEARCH(k.permissions, 'one', '${permission}')`;
    const removed = `k.permissions = JSON_REMOVE(k.permissions, JSON_UNQUOTE(${place}))`;
    await update(removed, `${place} IS NOT NULL`, [account]);
  }
}
