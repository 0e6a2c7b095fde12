import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { notFoundOr, type Retention } from '#core/kernel/environment/retention.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { settings } from '../deployment/settings.js';
import { inbounds, type InboundRow } from '../tables/inbound.js';

/** The rows of a retention, as replies name it. */
export const inboundKept = { variable: 'SVC_INBOUND_RETENTION_DAYS', rows: 'messages that were received' } as const;

/** How long received mail is kept. */
export const inboundRetentionOf = ({ settingsOf }: Pick<Deployment, 'settingsOf'>): Retention => ({
  ...inboundKept,
  days: settingsOf(settings).inboundRetentionDays,
});

/** A received message of the caller's environment. @throws not_found, also after it was deleted */
export async function findInbound(
  {
    db,
    caller,
    clock,
    deployment,
  }: Pick<ReadContext, 'db' | 'clock' | 'deployment'> & { readonly caller: TenantCaller },
  inboundId: string,
): Promise<InboundRow> {
  const words = notFoundOr(inbounds.notFound, inboundRetentionOf(deployment), inboundId, clock.now());
  const row = await findOwned(db, inbounds, caller, inboundId, words);
  if (row.deletedAt !== null) throw refusalOf.not_found({ ...inbounds.notFound });
  return row;
}
