import { at, listAt, parseJson, textAt } from '#core/runtime/json.js';
import { bounceKind, enhancedCodeIn, judgedKind, type BounceKind } from '../bounces/classify.js';
import type { Report } from '../tables/report.js';
import { settings } from '../deployment/settings.js';
import { badSignature, invalidBody, notConfigured, type ProviderAdapter, type ProviderEvent } from './adapter.js';
import { confirmSubscription, isSnsType, verifySns } from './sns.js';
import { bareAddress, textsOf, timeOf } from './values.js';

/** The headers of every message of Amazon SNS that state its type and its topic. */
export const snsTypeHeader = 'x-amz-sns-message-type';
export const snsTopicHeader = 'x-amz-sns-topic-arn';

/** Notifications and published events of Amazon SES, which Amazon SNS delivers: bounces, complaints, deliveries. */
export const ses: ProviderAdapter = {
  name: 'Amazon SES',
  recognizes: ({ headers }) => headers[snsTypeHeader] !== undefined,
  async read({ json }, { deployment, http, clock, log }) {
    const { sesTopics } = deployment.settingsOf(settings);
    if (sesTopics.length === 0) throw notConfigured('SVC_MAIL_SES_TOPICS');
    const type = textAt(json, 'Type');
    if (!isSnsType(type)) throw invalidBody('it is not an Amazon SNS message');
    const topic = textAt(json, 'TopicArn') ?? '';
    if (!sesTopics.includes(topic))
      throw badSignature('the SNS topic is not in SVC_MAIL_SES_TOPICS', 'SVC_MAIL_SES_TOPICS');
    await verifySns(json, type, http, clock.now());
    if (type === 'Notification') return eventsOf(parseJson(textAt(json, 'Message') ?? ''), clock.now());
    if (type === 'SubscriptionConfirmation') await confirmSubscription(json, http);
    log.info(
      { topic },
      type === 'SubscriptionConfirmation' ? 'confirmed an SNS subscription' : 'an SNS subscription ended',
    );
    return [];
  },
};

/** A recipient's entry: its address, and what it reports. */
interface Entry {
  readonly address: string | null;
  readonly report: Report;
}

function eventsOf(message: unknown, now: Date): ProviderEvent[] {
  const mail = at(message, 'mail');
  const header = (name: string): string[] =>
    listAt(mail, 'headers').flatMap((each) =>
      textAt(each, 'name')?.toLowerCase() === name ? textsOf(at(each, 'value')) : [],
    );
  const shared = {
    returnPath: textAt(mail, 'source'),
    messageIds: [...header('x-svc-message-id'), ...header('message-id')],
    providerId: textAt(mail, 'messageId'),
  };
  return entriesOf(message, now).flatMap(({ address, report }) =>
    address === null ? [] : [{ ...shared, address: bareAddress(address), report }],
  );
}

function entriesOf(message: unknown, now: Date): Entry[] {
  // Notifications name their type in one field, published events in the other.
  const type = textAt(message, 'notificationType') ?? textAt(message, 'eventType');
  if (type === 'Bounce') {
    const bounce = at(message, 'bounce');
    const time = timeOf(at(bounce, 'timestamp')) ?? now;
    return listAt(bounce, 'bouncedRecipients').map((recipient) => ({
      address: textAt(recipient, 'emailAddress'),
      report: bounceReport(bounce, recipient, time),
    }));
  }
  if (type === 'Complaint') {
    const complaint = at(message, 'complaint');
    const feedback = textAt(complaint, 'complaintFeedbackType') ?? 'abuse';
    const time = timeOf(at(complaint, 'timestamp')) ?? now;
    if (feedback === 'not-spam') return [];
    return listAt(complaint, 'complainedRecipients').map((recipient) => ({
      address: textAt(recipient, 'emailAddress'),
      report: { type: 'complained', kind: null, code: null, detail: `Reported as ${feedback}.`, at: time },
    }));
  }
  if (type !== 'Delivery') return [];
  const delivery = at(message, 'delivery');
  const detail = textAt(delivery, 'smtpResponse') ?? '';
  const time = timeOf(at(delivery, 'timestamp')) ?? now;
  return textsOf(listAt(delivery, 'recipients')).map((address) => ({
    address,
    report: { type: 'delivered', kind: null, code: null, detail, at: time },
  }));
}

function bounceReport(bounce: unknown, recipient: unknown, time: Date): Report {
  const detail = (textAt(recipient, 'diagnosticCode') ?? '').replace(/^\w+\s*;\s*/, '');
  const code = enhancedCodeIn(textAt(recipient, 'status') ?? '') ?? enhancedCodeIn(detail);
  const [type, subType] = [textAt(bounce, 'bounceType') ?? '', textAt(bounce, 'bounceSubType') ?? ''];
  const kinds: Readonly<Record<string, BounceKind>> = { Permanent: 'hard', Transient: 'soft' };
  const judged = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  // SES itself states that a transient one passes.
  const kind = judged === 'soft' ? judged : judged ? judgedKind(judged, code, detail) : bounceKind(code, detail);
  return { type: 'bounced', kind, code, detail: detail || `${type} ${subType}`.trim(), at: time };
}
