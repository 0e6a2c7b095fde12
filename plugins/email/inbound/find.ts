import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Session } from '#core/runtime/database/session.js';
import { inbounds, type InboundRow } from '../tables/inbound.js';

/** A received message of the caller's environment. @throws not_found, once deleted too */
export async function findInbound(db: Session, caller: TenantCaller, inboundId: string): Promise<InboundRow> {
  const row = await findOwned(db, inbounds, caller, inboundId);
  if (row.deletedAt !== null) throw refusalOf.not_found({ ...inbounds.notFound });
  return row;
}
