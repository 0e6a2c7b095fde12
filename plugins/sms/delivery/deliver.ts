import type { Delivery, DeliveryReport } from '#core/messaging/driver.js';
import { renderedStatements } from '#core/messaging/rendered.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { joined } from '#core/runtime/database/statement.js';
import type { BroadcastText } from '../broadcasts/content.js';
import { isAllowed } from '../messages/destination.js';
import { smsDriver } from '../messages/driver.js';
import { statusUrlOf } from '../providers/callback-values.js';
import { logNumber, logProvider } from '../providers/log/provider.js';
import type { SmsProvider } from '../providers/provider.js';
import type { MessageRow } from '../tables/message.js';
import type { TextContent } from './contents.js';
import { fixtureOf, playDelivery } from '../messages/fixtures.js';
import { lookForText, outcomeAt, type SubmittedText } from './resubmit.js';

type TextDelivery = Delivery<MessageRow, TextContent>;

/** The error code at the start of one of svc's own refusals; null for a provider's words. */
const ownCode = (response: string): string | null => /^([a-z]+(?:_[a-z]+)+): /.exec(response)?.[1] ?? null;

/** The fields of a broadcast's message that are known once it is rendered. */
const renderedAs = ({
  body,
  counted: { segments, encoding },
  locale,
}: Extract<BroadcastText, { counted: unknown }>): Pick<
  MessageRow,
  'body' | 'segments' | 'encoding' | 'templateLocale'
> => ({ body, segments, encoding, templateLocale: locale });

/**
 * Creates the function that submits a text, once. Texts of test environments never reach the provider: system texts
 * are kept for /dev/phone, and test numbers play their outcomes.
 */
export function textDelivery(
  provider: SmsProvider,
  services: Pick<WorkerServices, 'deployment' | 'http' | 'clock' | 'database'>,
): (delivery: TextDelivery) => Promise<DeliveryReport<MessageRow>> {
  const kept = logProvider(services);

  const submit = async (delivery: TextDelivery, to: string, from: string | null): Promise<SubmittedText> => {
    const { message, environment, content, attempt, submitBy } = delivery;
    const { unclearAt } = message;
    const refused = (outcome: 'temporary' | 'permanent', response: string): SubmittedText => ({
      ...{ outcome, response, unclearAt },
      ...{ providerId: null, code: null },
    });
    if (!content) return refused('permanent', 'The content of the message no longer exists.');
    if ('problem' in content) return refused('permanent', content.problem);
    if (message.broadcastId !== null && !isAllowed(services, environment, to))
      return refused('permanent', 'destination_not_allowed: this deployment does not allow messages to this country.');
    const isTest = environment.kind === 'test';
    const fixture = message.isSystem ? null : fixtureOf(environment, to);
    if (fixture !== null) return { ...playDelivery(fixture, attempt), unclearAt };
    const sender = from ?? (isTest ? logNumber : null);
    if (sender === null) return refused('temporary', 'The environment currently has no number.');
    const { id: messageId } = message;
    const statusUrl = statusUrlOf(services.deployment.baseUrl, messageId);
    const text = { messageId, from: sender, to, body: content.body, statusUrl, submitBy };
    if (attempt > 1) await storeSubmitted(services, [{ message, content, from: sender }]);
    return outcomeAt(await (isTest ? kept : provider).send(text), services.clock.now(), unclearAt);
  };

  return async (delivery) => {
    const { message, content, recipients, attempt } = delivery;
    const began = performance.now();
    const [recipient] = recipients;
    if (!recipient) throw new Error('A text has one recipient.');
    // Before any refusal of svc itself: an earlier attempt may have reached the recipient.
    const earlier = attempt > 1 ? await lookForEarlier(provider, services, delivery) : null;
    if (earlier) return reportOf(delivery, earlier.found, earlier.from, began);
    const from = senderOf(message, content);
    return reportOf(delivery, await submit(delivery, recipient.address, from), from, began);
  };
}

/**
 * Creates the function that finds out what happened to a text that must not be sent any more and whose last delivery
 * attempt had no clear answer (DeliveryDriver.settle).
 */
export function textSettlement(
  provider: SmsProvider,
  services: Pick<WorkerServices, 'clock' | 'database'>,
): (delivery: Omit<TextDelivery, 'preferencesUrl' | 'submitBy'>) => Promise<DeliveryReport<MessageRow> | null> {
  return async (delivery) => {
    const began = performance.now();
    const earlier = await lookForEarlier(provider, services, delivery);
    return earlier && reportOf(delivery, earlier.found, earlier.from, began);
  };
}

/**
 * Creates the function that stores the numbers that texts will be sent from, and the words of those that are rendered
 * for a contact, before their first attempt (DeliveryDriver.beforeAttempt). If a process dies while it submits them,
 * svc can look for them, even if the contact has changed, and knows whom a STOP is for. Later attempts store them in
 * `deliver`, after the lookup of the earlier text.
 */
export const storeFirstSubmitted =
  (provider: SmsProvider, services: Pick<WorkerServices, 'database'>) =>
  async (attempts: readonly Pick<TextDelivery, 'message' | 'content' | 'attempt'>[]): Promise<void> => {
    if (!provider.isReal) return;
    const first = attempts.filter(({ attempt }) => attempt === 1);
    await storeSubmitted(
      services,
      first.map(({ message, content }) => ({ message, content, from: senderOf(message, content) })),
    );
  };

/** The number that a text is sent from now. An answer is sent from the number that received the text. */
const senderOf = (message: MessageRow, content: TextContent | undefined): string | null =>
  message.inReplyTo === null ? (content?.from ?? message.fromNumber) : message.fromNumber;

/** Stores what differs from the messages: the number, and what rendering sets (renderedAs). */
async function storeSubmitted(
  { database }: Pick<WorkerServices, 'database'>,
  texts: readonly (Pick<TextDelivery, 'message' | 'content'> & { readonly from: string | null })[],
): Promise<void> {
  const changed = texts.flatMap(({ message, content, from }) => {
    const rendered = content && 'counted' in content ? renderedAs(content) : {};
    return from === message.fromNumber && !('body' in rendered) ? [] : [{ ...message, ...rendered, fromNumber: from }];
  });
  const fields = ['fromNumber', 'body', 'segments', 'encoding', 'templateLocale'] as const;
  if (changed.length > 0) await database.run(joined(renderedStatements(smsDriver.tables, fields, changed)));
}

/** What is known of a text that was submitted before, and the number that it was sent from. See lookForText. */
async function lookForEarlier(
  provider: SmsProvider,
  services: Pick<WorkerServices, 'clock' | 'database'>,
  { message, environment, content, recipients, attempt }: Omit<TextDelivery, 'preferencesUrl' | 'submitBy'>,
): Promise<{ found: SubmittedText; from: string } | null> {
  const [recipient] = recipients;
  // Only texts that earlier versions submitted have no number.
  const from = message.fromNumber ?? content?.from ?? null;
  if (!recipient || from === null || !provider.isReal || environment.kind === 'test') return null;
  // As it was submitted: the content may be rendered for a contact who has changed.
  const body = message.body ?? (content && 'body' in content ? content.body : null);
  const text = { messageId: message.id, from, to: recipient.address, body };
  const found = await lookForText(services, provider, message, attempt, text);
  return found && { found, from };
}

/** The report of an attempt, with what it sets in the message. @param began by performance.now() */
function reportOf(
  { message, content, recipients }: Pick<TextDelivery, 'message' | 'content' | 'recipients'>,
  { outcome, code, response, providerId, unclearAt }: SubmittedText,
  fromNumber: string | null,
  began: number,
): DeliveryReport<MessageRow> {
  const error =
    outcome === 'sent'
      ? { errorCode: null, errorDetail: null }
      : { errorCode: code === null ? ownCode(response) : String(code), errorDetail: response.slice(0, 500) };
  const rendered: Partial<MessageRow> = content && 'counted' in content ? renderedAs(content) : {};
  const hasChanged =
    fromNumber !== message.fromNumber ||
    error.errorDetail !== message.errorDetail ||
    unclearAt !== message.unclearAt ||
    'body' in rendered;
  return {
    durationMs: performance.now() - began,
    ...(hasChanged ? { message: { ...message, ...error, ...rendered, fromNumber, unclearAt } } : {}),
    recipients: recipients.map(({ address }) => ({
      address,
      outcome: outcome === 'unclear' ? 'temporary' : outcome,
      code,
      response,
      providerId,
    })),
  };
}
