import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import type { ErrorCode } from '#core/kernel/errors/errors.js';
import { countAudienceOf } from '#core/messaging/broadcasts/audience.js';
import type { BroadcastDriver, ReserveCost } from '#core/messaging/broadcasts/driver.js';
import { stillToMake } from '#core/messaging/broadcasts/counts.js';
import { idField, marker, textField } from '#core/messaging/broadcasts/event-fields.js';
import type { BulkDriver } from '#core/messaging/bulk/driver.js';
import { broadcastMessage } from '#core/messaging/broadcasts/message.js';
import type { SystemHold } from '#core/messaging/broadcast-tables.js';
import { isPlain } from '#core/messaging/templates/liquid.js';
import { audienceReferences, recipients } from '#plugins/audience/ports.js';
import { metering } from '#plugins/billing/ports.js';
import { chunkQueueRef, emailDriver } from '../messages/driver.js';
import { broadcastUsage } from '../messages/metering.js';
import { presentMessage } from '../messages/present.js';
import { isSignedSender } from '../senders/verified.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import { chunkJournal } from '../tables/chunk-journal.js';
import type { MessageRow } from '../tables/message.js';
import { freeReferences } from '../senders/references.js';
import { presentOne } from './present.js';

const address = "JSON_UNQUOTE(JSON_EXTRACT(m.to_addresses, '$[0]'))";

/** How email makes the messages of broadcasts (core/messaging/broadcasts). */
export const emailBroadcasts: BroadcastDriver<BroadcastRow, MessageRow> = {
  name: 'email',
  driver: emailDriver,
  tables: broadcastTables,
  messageEvents: { queued: 'email.queued', cancelled: 'email.cancelled' },

  audience: ({ use }) => use(recipients),
  metering: ({ use }) => use(metering),
  messageOf,
  selected: { toAddresses: 'JSON_ARRAY(r.address)' },
  address,
  // Contacts' addresses are ASCII (parseAddress), so this is mailboxKey.
  addressKey: `LOWER(${address})`,
  eventData: (message) => ({ message: presentMessage(message, []) }),
  eventFields: {
    id: idField('id', 'm.id'),
    contactId: idField('contact', 'm.contact_id'),
    toAddresses: { marker: [marker('to')], json: 'm.to_addresses' },
    subject: textField('subject', 'm.subject'),
    templateLocale: textField('locale', 'm.template_locale'),
  },

  reservation,
  meterMessages: async ({ use }, environment, { id }, { count }) =>
    (await use(metering).recordReserved(environment, broadcastUsage(id, count))) === null,
  reverseAllUsage: ({ use }, environment, { id }, { days }) =>
    use(metering).reverse(
      environment,
      days.flatMap(({ made, count }) => broadcastUsage(id, count).map((usage) => ({ ...usage, recordedAt: made }))),
    ),

  startProblem: signingProblem,
  sendingProblem: signingProblem,
  async emitStatus({ db, emit }, event, broadcast, environment: Environment) {
    const data = { broadcast: await presentOne(db, broadcast) };
    emit(`email.broadcast.${event}`, { subjectId: broadcast.id, data, activityId: broadcast.activityId }, environment);
  },
  async freeReferences({ db, use }, broadcastId) {
    await use(audienceReferences).freeReferences(broadcastId);
    await freeReferences(db, broadcastId);
  },
};

/** How email delivers the messages of broadcasts (core/messaging/bulk). */
export const emailBulk: Omit<BulkDriver<BroadcastRow, MessageRow, never>, 'delivery'> = {
  kind: emailBroadcasts,
  chunks: chunkQueueRef,
  journal: chunkJournal,
  sentEvent: 'email.sent',
  sentData: (message) => ({ message: presentMessage(message, []), failedRecipients: [] }),
  addressed: (address) => ({ toAddresses: [address] }),
};

async function signingProblem(
  context: ReadContext<ErrorCode>,
  environment: Environment,
  { fromAddress }: BroadcastRow,
): Promise<SystemHold | null> {
  return (await isSignedSender(context, environment, fromAddress)) ? null : 'not_ready';
}

/** See BroadcastDriver. */
async function reservation(
  { use, db }: ReadContext<ErrorCode>,
  environment: Environment,
  broadcast: BroadcastRow,
): Promise<ReserveCost | null> {
  const { id } = broadcast;
  if (!(await use(metering).mustReserve(environment, broadcastUsage(id, 1)))) return null;
  const audience = await countAudienceOf(use(recipients), 'email', broadcast);
  const left = await stillToMake(db, broadcastTables, id, audience);
  if (left === 0) return null;
  const usage = broadcastUsage(broadcast.id, left);
  return async (context) => (await context.use(metering).reserve(environment, usage)) === null;
}

/**
 * A message of a broadcast, except for its recipient. The content is rendered when it is sent, so its subject is known
 * only if it has no variables.
 */
function messageOf(broadcast: BroadcastRow, at: Date): MessageRow {
  return {
    ...broadcastMessage(broadcast, at),
    fromAddress: broadcast.fromAddress,
    fromName: broadcast.fromName,
    replyTo: broadcast.replyTo === null ? [] : [broadcast.replyTo],
    toAddresses: [],
    ccAddresses: [],
    bccAddresses: [],
    displayNames: null,
    subject: broadcast.subject !== null && isPlain(broadcast.subject) ? broadcast.subject : null,
    headers: {},
    deliveredAt: null,
    bouncedAt: null,
    bounceKind: null,
    bounceCode: null,
    bounceDetail: null,
    submission: null,
  };
}
