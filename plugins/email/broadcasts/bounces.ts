import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { ignoreRefusal } from '#core/kernel/errors/errors.js';
import { countBounces, type BouncedMessages } from '#core/messaging/broadcasts/bounces.js';
import { directory } from '#plugins/account/ports.js';
import { transactionalMail } from '../ports.js';
import { broadcastTables } from '../tables/broadcast.js';
import { bouncedMail } from './mail-texts.js';
import { presentOne } from './present.js';

/**
 * Counts messages of a broadcast that came back, or were refused because their addresses do not work. When more than 5 % of the broadcast
 * have, it is held and the account's owners get a mail.
 */
export async function noteBounces(
  context: Context<'email.broadcast.paused'>,
  environment: Environment,
  broadcastId: string,
  bounced: BouncedMessages,
): Promise<void> {
  const { db, use, emit } = context;
  const exceeded = await countBounces(context, broadcastTables, broadcastId, bounced);
  if (!exceeded) return;
  const { broadcast: row, bounces } = exceeded;
  const broadcast = await presentOne(db, row);
  if (row.status === 'held')
    emit('email.broadcast.paused', { subjectId: row.id, data: { broadcast }, activityId: row.activityId }, environment);
  const { project } = await use(directory).describe(environment);
  const variables = {
    broadcast: row.name,
    projectName: project.name,
    bounced: String(bounces),
    recipients: String(broadcast.counts?.recipients ?? 0),
  };
  for (const to of await use(directory).ownerAddresses(environment.accountId))
    // The environment's budget of system mail may be used up: the bounce is recorded all the same, and the broadcast says why it is held.
    await use(transactionalMail).queue(environment, { template: bouncedMail, to, variables }).catch(ignoreRefusal);
}
