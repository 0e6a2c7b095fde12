import type { Services } from '#core/kernel/services.js';
import { dividedLimits, type DeliveryDriver } from '#core/messaging/driver.js';
import { broadcastQueue } from '#core/messaging/broadcasts/work.js';
import { deliveryQueue } from '#core/messaging/delivery/queue.js';
import type { WorkQueue } from '#core/runtime/work/queue.js';
import { smsBroadcasts } from '../broadcasts/kind.js';
import { smsDriver } from '../messages/driver.js';
import { checkNumbers } from '../messages/eligibility.js';
import { chooseProvider } from '../providers/choose.js';
import { quietHours } from '../quiet-hours/waits.js';
import type { MessageRow } from '../tables/message.js';
import { endTexts } from './end-texts.js';
import { loadTexts, type TextContent } from './contents.js';
import { storeFirstSubmitted, textDelivery, textSettlement } from './deliver.js';
import { dueAt } from '#core/messaging/due.js';
import { shift, minuteMs } from '#core/runtime/clock.js';

/** A provider's API answers in about 100 ms; both busy lanes stay below 100 connections to it. */
const limitsOfMachine = { concurrency: 48, perAccount: 24, alone: 40, stalledAfterMs: 5_000, mostStalled: 48 };

/** The columns that a delivery attempt sets. */
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

/** The queues that deliver texts, to the provider or to the local folder of texts, and that run broadcasts. */
export function deliveryQueues(services: Services): WorkQueue[] {
  const provider = chooseProvider(services);
  const driver: DeliveryDriver<MessageRow, TextContent> = {
    ...smsDriver,
    limits: dividedLimits(limitsOfMachine, services.deployment.processes),
    checkEligibility: async (context, environment, purpose, numbers) =>
      (await checkNumbers(context, environment, purpose, numbers)).eligibility,
    isAnswer: ({ inReplyTo }) => inReplyTo !== null,
    loadContents: (queued) => loadTexts(services, queued),
    beforeAttempt: storeFirstSubmitted(provider, services),
    renderedFields,
    deliver: textDelivery(provider, services),
    settle: textSettlement(provider, services),
    afterEnd: endTexts,
    sendableFrom: quietHours(services),
    retryAt,
  };
  return [deliveryQueue(services, driver, () => Promise.resolve()), broadcastQueue(services, smsBroadcasts)];
}

/** Delays after temporary failures. They are short because texts are urgent. */
const waits = [5, 15, 30, 60, 120, 300, 900].map((seconds) => seconds * 1_000);
/** A code is valid for ten minutes, see plugins/auth/tables/lifetimes.ts; other texts are given more time. */
const givenUpAfter = { system: 10 * minuteMs, other: 240 * minuteMs };

/** Within about four hours. */
const bulkAttempts = 20;

/**
 * When to try a text again after a temporary failure.
 * @param since see DeliveryDriver.retryAt
 * @returns null once it has been tried long enough: it has failed
 */
function retryAt(
  attempt: number,
  since: Date,
  now: Date,
  message: Pick<MessageRow, 'isSystem' | 'broadcastId' | 'automationId' | 'sendAfter' | 'createdAt'>,
): Date | null {
  const { isSystem, broadcastId, automationId } = message;
  const next = shift(now, waits[Math.min(attempt, waits.length) - 1] ?? minuteMs);
  // Quiet hours may lie between two attempts of a text of a broadcast or an automation.
  if (broadcastId !== null || automationId !== null) return attempt >= bulkAttempts ? null : next;
  // A system text is valid only for some minutes, no matter when it was first tried.
  const tooOld = isSystem
    ? next.getTime() - dueAt(message).getTime() > givenUpAfter.system
    : next.getTime() - since.getTime() > givenUpAfter.other;
  return tooOld ? null : next;
}
