import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { environmentsOf } from '#core/kernel/environment/environment.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import { queueBroadcast } from '#core/messaging/broadcasts/change-status.js';
import { idBytes } from '#core/runtime/id.js';
import { broadcasts, broadcastTables } from '../tables/broadcast.js';

/**
 * Triggers a check of the broadcasts of a project that are being sent from a domain, after mail from the domain cannot
 * be signed any more: a worker holds them (BroadcastDriver.sendingProblem). The broadcasts are not locked here,
 * because sending one locks it before the domain.
 */
export async function recheckSenders(
  context: Pick<Context, 'db' | 'clock' | 'wake'>,
  { projectId }: Pick<Environment, 'projectId'>,
  domain: string,
): Promise<void> {
  const { db, clock } = context;
  const environments = await environmentsOf(db, [projectId]);
  const rows = await db.rows<object>(
    `SELECT ${broadcasts.columnList()} FROM email_broadcast WHERE environment_id IN (?) AND status = 'sending'`,
    [environments.map(({ id }) => idBytes(id))],
  );
  for (const broadcast of rows.map(broadcasts.decode))
    if (domainOf(broadcast.fromAddress) === domain)
      await queueBroadcast(context, broadcastTables, broadcast, clock.now());
}
