import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { shownName } from '#core/kernel/schema/plain-name.js';
import { holdBounced, type ExceededShare } from '#core/messaging/broadcasts/bounces.js';
import { holdSending } from '#core/messaging/broadcasts/hold-sending.js';
import type { LoadedMessage } from '#core/messaging/driver.js';
import { directory } from '#plugins/account/ports.js';
import { transactionalMail } from '../ports.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { isRelayLimit } from './classify.js';
import { bouncedMail } from '../broadcasts/mail-texts.js';
import { presentOne } from '../broadcasts/present.js';

const kind = { name: 'email', tables: broadcastTables } as const;

/**
 * Checks how many messages of broadcasts have bounced: returned, or refused because their addresses do not work. A
 * broadcast with more than 5 % bounces is held, and the account's owners get a mail.
 * @param broadcasts the environment of each broadcast whose counts this transaction has changed, by its id
 * @returns the ids of broadcasts for which only another bounce can change the answer
 */
export async function noteBounces(
  context: Context<'email.broadcast.paused'>,
  broadcasts: ReadonlyMap<string, Environment>,
): Promise<readonly string[]> {
  const { exceeded, settledIds } = await holdBounced(context, kind, broadcasts);
  for (const each of exceeded) {
    const environment = broadcasts.get(each.broadcast.id);
    if (environment) await notifyOwners(context, environment, each);
  }
  return settledIds;
}

async function notifyOwners(
  { db, use, emit }: Context<'email.broadcast.paused'>,
  environment: Environment,
  { broadcast: row, bounces }: ExceededShare<BroadcastRow>,
): Promise<void> {
  const broadcast = await presentOne(db, row);
  if (row.status === 'held')
    emit('email.broadcast.paused', { subjectId: row.id, data: { broadcast }, activityId: row.activityId }, environment);
  if (environment.closedAt) return;
  const { project } = await use(directory).describe(environment);
  const variables = (formatTag: string): Record<string, string> => {
    const numbers = new Intl.NumberFormat(formatTag);
    return {
      broadcast: shownName(row.name),
      projectName: shownName(project.name),
      bounced: numbers.format(bounces),
      recipients: numbers.format(broadcast.counts?.recipients ?? 0),
    };
  };
  for (const to of await use(directory).ownerAddresses(environment.accountId))
    await use(transactionalMail).queue(environment, { template: bouncedMail, to, variables });
}

/**
 * Holds the broadcasts of which the mail server takes no more messages because the sender has reached its limit there.
 * The messages wait.
 * @param attempted messages that an attempt was made for, each with the recipients that were answered
 */
export async function holdLimited(
  context: Context<'email.broadcast.paused'>,
  attempted: readonly (LoadedMessage<MessageRow> & { readonly environment: Environment })[],
): Promise<void> {
  const limited = new Map<string, Environment>();
  for (const { message, environment, recipients } of attempted) {
    const isLimited = recipients.some(
      ({ status, response }) => status !== 'sent' && response !== null && isRelayLimit(response),
    );
    if (message.broadcastId !== null && isLimited) limited.set(message.broadcastId, environment);
  }
  for (const row of await holdSending(context, kind, limited, 'sending_limit')) {
    const broadcast = await presentOne(context.db, row);
    const environment = limited.get(row.id);
    const event = { subjectId: row.id, data: { broadcast }, activityId: row.activityId };
    if (environment) context.emit('email.broadcast.paused', event, environment);
  }
}
