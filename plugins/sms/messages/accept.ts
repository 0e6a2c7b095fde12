import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { decide, storeMessages } from '#core/messaging/accept.js';
import type { MoneyValue } from '#plugins/billing/ports.js';
import type { Counted } from '../segments/count.js';
import { contents } from '../tables/content.js';
import type { MessageRow } from '../tables/message.js';
import { aboutPerson } from '#core/messaging/channel.js';
import { smsChannel } from './channel.js';
import type { NumberEligibility } from './eligibility.js';
import { presentMessage } from './present.js';
import { sealedTexts } from './sealed.js';

/** A text that has passed every check. */
export interface NewText {
  readonly id: string;
  readonly environment: Environment;
  readonly isSystem: boolean;
  readonly to: string;
  readonly from: string | null;
  /** Stored encrypted for system texts, because it may hold a code. */
  readonly body: string;
  readonly counted: Counted;
  readonly tags: Readonly<Record<string, string>>;
  /** What it was made from; null without a template. System texts that no override replaces have no version. */
  readonly template: { readonly name: string; readonly version: number | null; readonly locale: string | null } | null;
  /** The automation's run that it is a step of. */
  readonly automation?: { readonly id: string; readonly runId: string };
  /** The received text that it answers. */
  readonly inReplyTo?: string;
  readonly topic: string | null;
  readonly personId: string | null;
  readonly sendAfter: Date | null;
  readonly price: MoneyValue | null;
  readonly eligibility: NumberEligibility;
}

type Accepting = Context<'sms.queued' | 'sms.suppressed'>;

/** Stores a text, queues it when its recipient may get it, and emits its event. */
export async function acceptText(context: Accepting, text: NewText): Promise<MessageRow> {
  const message = messageOf(context, text);
  const lane = text.isSystem ? 'system' : text.automation ? 'bulk' : 'transactional';
  const sealed =
    text.isSystem && message.contentId !== null
      ? [contents.insertRows([{ id: message.id, sealed: sealedTexts.seal(context.vault, message.id, text.body) }])]
      : [];
  await storeMessages(context, smsChannel, [{ message, eligibility: [text.eligibility] }], { lane, rows: sealed });
  const event = { subjectId: message.id, data: { message: presentMessage(message) }, ...aboutPerson(message) };
  context.emit(message.status === 'queued' ? 'sms.queued' : 'sms.suppressed', event, text.environment);
  return message;
}

/** The row of a new message. */
function messageOf(context: Accepting, text: NewText): MessageRow {
  const { id } = text;
  const now = context.clock.now();
  const decision = decide([text.eligibility], now);
  const isQueued = decision.status === 'queued';
  return {
    id,
    environmentId: text.environment.id,
    // The content of suppressed system texts is not stored: it is never sent, and never readable.
    contentId: text.isSystem && !isQueued ? null : id,
    isSystem: text.isSystem,
    toNumber: text.to,
    fromNumber: text.from,
    body: text.isSystem ? null : text.body,
    segments: text.counted.segments,
    meteredSegments: isQueued ? text.counted.segments : 0,
    encoding: text.counted.encoding,
    price: isQueued ? text.price : null,
    template: text.template?.name ?? null,
    templateVersion: text.template?.version ?? null,
    templateLocale: text.template?.locale ?? null,
    broadcastId: null,
    automationId: text.automation?.id ?? null,
    automationRunId: text.automation?.runId ?? null,
    inReplyTo: text.inReplyTo ?? null,
    tags: { ...text.tags },
    topic: text.topic,
    personId: text.personId,
    activityId: context.startedBy(),
    sendAfter: text.sendAfter,
    unclearAt: null,
    deliveredAt: null,
    errorCode: null,
    errorDetail: null,
    createdAt: now,
    ...decision,
  };
}
