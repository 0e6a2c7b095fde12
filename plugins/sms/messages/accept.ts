import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { acceptedMessage, storeMessages, type MessageFacts } from '#core/messaging/accept.js';
import type { MoneyValue } from '#plugins/billing/ports.js';
import type { Counted } from '../segments.js';
import { contents } from '../tables/content.js';
import type { MessageRow } from '../tables/message.js';
import { aboutPerson } from '#core/messaging/driver.js';
import { smsDriver } from './driver.js';
import type { NumberEligibility } from './eligibility.js';
import { presentMessage } from './present.js';
import { sealedTexts } from './sealed.js';

/** A text that has passed every check. */
interface NewText extends MessageFacts {
  readonly id: string;
  readonly environment: Environment;
  readonly to: string;
  readonly from: string | null;
  /** Encrypted for system texts, because it may contain a code. */
  readonly body: string;
  readonly counted: Counted;
  /** The received text that it answers. */
  readonly inReplyTo?: string;
  readonly price: MoneyValue | null;
  readonly eligibility: NumberEligibility;
}

type Accepting = Context<'sms.queued' | 'sms.suppressed'>;

/** Stores a text, queues it if its recipient may get it, and emits its event. */
export async function acceptText(context: Accepting, text: NewText): Promise<MessageRow> {
  const message = messageOf(context, text);
  const lane = text.isSystem ? 'system' : text.automation ? 'bulk' : 'transactional';
  const sealed =
    text.isSystem && message.contentId !== null
      ? [contents.insertRows([{ id: message.id, sealed: sealedTexts.seal(context.vault, message.id, text.body) }])]
      : [];
  await storeMessages(context, smsDriver, [{ message, eligibility: [text.eligibility] }], { lane, rows: sealed });
  const event = { subjectId: message.id, data: { message: presentMessage(message) }, ...aboutPerson(message) };
  context.emit(message.status === 'queued' ? 'sms.queued' : 'sms.suppressed', event, text.environment);
  return message;
}

/** The row of a new message. */
function messageOf(context: Accepting, text: NewText): MessageRow {
  const shared = acceptedMessage(context, { id: text.id, now: context.clock.now() }, text, [text.eligibility]);
  const isQueued = shared.status === 'queued';
  return {
    ...shared,
    toNumber: text.to,
    fromNumber: text.from,
    body: text.isSystem ? null : text.body,
    segments: text.counted.segments,
    meteredSegments: isQueued ? text.counted.segments : 0,
    encoding: text.counted.encoding,
    price: isQueued ? text.price : null,
    inReplyTo: text.inReplyTo ?? null,
    unclearAt: null,
    deliveredAt: null,
    errorCode: null,
    errorDetail: null,
  };
}
