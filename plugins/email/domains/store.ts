import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { lockOwned, findOwned } from '#core/kernel/environment/owned.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { keysOf, type DomainKeyRow } from '../tables/domain-key.js';
import { domains, type DomainRow } from '../tables/domain.js';

/** A domain with its keys. */
export interface LoadedDomain {
  readonly row: DomainRow;
  readonly keys: readonly DomainKeyRow[];
}

/** The caller's domain. @throws not_found, also if it was removed */
export async function findDomain(db: ReadSession, caller: TenantCaller, id: string): Promise<LoadedDomain> {
  const row = await findOwned(db, domains, caller, id);
  if (row.removedAt) throw refusalOf.not_found({ ...domains.notFound });
  return { row, keys: await keysOf(db, [row.id]) };
}

/** The caller's domain, removed or not, locked until the transaction ends. @throws not_found */
export async function lockDomain(db: Session, caller: TenantCaller, id: string): Promise<LoadedDomain> {
  const row = await lockOwned(db, domains, caller, id);
  return { row, keys: await keysOf(db, [row.id]) };
}

/** The caller's domain, locked until the transaction ends. @throws not_found, also if it was removed */
export async function lockPresentDomain(db: Session, caller: TenantCaller, id: string): Promise<LoadedDomain> {
  const loaded = await lockDomain(db, caller, id);
  if (loaded.row.removedAt) throw refusalOf.not_found({ ...domains.notFound });
  return loaded;
}
