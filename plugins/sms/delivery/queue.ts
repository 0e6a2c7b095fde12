import type { Services } from '#core/kernel/services.js';
import type { DeliveryChannel } from '#core/messaging/channel.js';
import { broadcastQueue } from '#core/messaging/broadcasts/work.js';
import { deliveryQueue } from '#core/messaging/delivery/queue.js';
import type { WorkQueue } from '#core/runtime/work/queue.js';
import { smsBroadcasts } from '../broadcasts/kind.js';
import { smsChannel } from '../messages/channel.js';
import { checkNumbers } from '../messages/eligibility.js';
import { chooseProvider } from '../providers/choose.js';
import { quietHours } from '../quiet-hours/admit.js';
import type { MessageRow } from '../tables/message.js';
import { endTexts } from './end-texts.js';
import { loadTexts, type TextContent } from './contents.js';
import { textDelivery, textSettlement } from './deliver.js';
import { retryAt } from './retry.js';

/** A provider's API answers in about 100 ms; both busy lanes stay below 100 connections to it. */
const limits = { concurrency: 48, perEnvironment: 24, alone: 40, stalledAfterMs: 5_000, mostStalled: 48 };

/** The columns that a hand-over sets. */
const renderedFields = [
  'fromNumber',
  'unclearAt',
  'errorCode',
  'errorDetail',
  'body',
  'segments',
  'encoding',
  'templateLocale',
] as const;

/** The delivery of texts: to the provider, or to the local folder of texts if no provider is set. */
export function deliveryQueues(services: Services): WorkQueue[] {
  const provider = chooseProvider(services);
  const channel: DeliveryChannel<MessageRow, TextContent> = {
    ...smsChannel,
    limits,
    checkEligibility: async (context, environment, purpose, numbers) =>
      (await checkNumbers(context, environment, purpose, numbers)).eligibility,
    isAnswer: ({ inReplyTo }) => inReplyTo !== null,
    loadContents: (queued) => loadTexts(services, queued),
    renderedFields,
    deliver: textDelivery(provider, services),
    settle: textSettlement(provider, services),
    afterEnd: endTexts,
    admit: quietHours(services),
    retryAt,
  };
  return [deliveryQueue(services, channel, () => Promise.resolve()), broadcastQueue(services, smsBroadcasts)];
}
