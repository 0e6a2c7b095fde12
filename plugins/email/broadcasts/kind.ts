import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext, ReadContext } from '#core/kernel/context.js';
import type { ErrorCode } from '#core/kernel/errors/errors.js';
import type { BroadcastChannel, Reserving } from '#core/messaging/broadcasts/channel.js';
import { stillToMake } from '#core/messaging/broadcasts/counts.js';
import { idField, marker, textField } from '#core/messaging/broadcasts/event-fields.js';
import { isPlain } from '#core/messaging/templates/liquid.js';
import { audienceUsage, recipients } from '#plugins/audience/ports.js';
import { metering } from '#plugins/billing/ports.js';
import { emailChannel } from '../messages/channel.js';
import { broadcastUsage } from '../messages/metering.js';
import { presentMessage } from '../messages/present.js';
import { isSignedSender } from '../senders/verified.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { release } from '../usage/usage.js';
import { broadcastPresenterOfEmail, presentOne } from './present.js';

const address = "JSON_UNQUOTE(JSON_EXTRACT(m.to_addresses, '$[0]'))";

/** How email makes the messages of broadcasts (core/messaging/broadcasts). */
export const emailBroadcasts: BroadcastChannel<BroadcastRow, MessageRow> = {
  name: 'email',
  channel: emailChannel,
  tables: broadcastTables,
  messageEvents: { queued: 'email.queued', cancelled: 'email.cancelled' },

  nextStep: ({ use }, { environmentId, lastContactId }, count) =>
    use(recipients).contactsAfter(environmentId, lastContactId, count),
  recipientsOf: ({ use }, { environmentId, topic, segmentId }, step) =>
    use(recipients).eligibleRecipients(environmentId, { channel: 'email', topic }, segmentId, step),
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
  returnReserved: ({ use }, broadcastId) => use(metering).returnReserved(broadcastId),
  meterStep: async ({ use }, environment, { id }, { count }) =>
    (await use(metering).recordReserved(environment, broadcastUsage(id, count))) === null,
  noteCapReached: ({ use }, environment) => use(metering).noteReached(environment),
  giveBackAll: ({ use }, environment, { id }, { count }) =>
    use(metering).reverse(environment, broadcastUsage(id, count)),

  async startProblem(context, environment, broadcast) {
    if (!(await isSignedSender(context, environment, broadcast.fromAddress))) return 'not_ready';
    const purpose = { channel: 'email', topic: broadcast.topic } as const;
    const counts = await context.use(recipients).countAudience(environment.id, purpose, broadcast.segmentId);
    return counts.eligible > context.deployment.settings.broadcastRecipients ? 'audience_too_large' : null;
  },
  sendingProblem: async (context, environment, { fromAddress }) =>
    (await isSignedSender(context, environment, fromAddress)) ? null : 'not_ready',
  async emitStatus({ db, emit }, event, broadcast, environment: Environment) {
    const data = { broadcast: await presentOne(db, broadcast) };
    emit(`email.broadcast.${event}`, { subjectId: broadcast.id, data, activityId: broadcast.activityId }, environment);
  },
  release: releaseBroadcast,
};

/** See BroadcastChannel. */
async function reservation(
  { use, db }: ReadContext<ErrorCode>,
  environment: Environment,
  broadcast: BroadcastRow,
): Promise<Reserving | null> {
  const { id, topic, segmentId } = broadcast;
  if (!(await use(metering).mustReserve(environment, broadcastUsage(broadcast.id, 1)))) return null;
  const audience = await use(recipients).countAudience(environment.id, { channel: 'email', topic }, segmentId);
  const left = await stillToMake(db, broadcastTables, id, audience);
  if (left === 0) return null;
  const usage = broadcastUsage(broadcast.id, left);
  return async (context) => (await context.use(metering).reserve(environment, usage)) === null;
}

/** What the operations of broadcasts work with (core/messaging/broadcasts/operations.ts). */
export const emailKit = { kind: emailBroadcasts, presenter: broadcastPresenterOfEmail };

/** Frees the topic, segment, template and domain of a broadcast that has nothing left to send. */
export async function releaseBroadcast(
  { db, use }: Pick<FullContext, 'db' | 'use'>,
  broadcastId: string,
): Promise<void> {
  await use(audienceUsage).release(broadcastId);
  await release(db, broadcastId);
}

/** A message of a broadcast, but for its recipient. The content is rendered when it leaves, so its subject is known only if it has no variables. */
function messageOf(broadcast: BroadcastRow, at: Date): MessageRow {
  return {
    id: broadcast.id,
    environmentId: broadcast.environmentId,
    status: 'queued',
    isSystem: false,
    // Its content is the broadcast's; null once the recipient was erased.
    contentId: broadcast.id,
    template: broadcast.template,
    templateVersion: broadcast.templateVersion,
    templateLocale: null,
    broadcastId: broadcast.id,
    automationId: null,
    automationRunId: null,
    tags: {},
    topic: broadcast.topic,
    contactId: null,
    personId: null,
    activityId: broadcast.activityId,
    blockedReason: null,
    sendAfter: null,
    sentAt: null,
    endedAt: null,
    createdAt: at,
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
  };
}
