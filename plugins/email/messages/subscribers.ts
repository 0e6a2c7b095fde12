import type { Environment } from '#core/kernel/caller/caller.js';
import type { Reading } from '#core/kernel/context.js';
import { groupBy } from '#core/messaging/group-by.js';
import { findSender } from '../senders/sender.js';
import type { SubscriberVariables } from '../templates/render.js';
import type { ContentSource } from '../templates/content.js';
import { mailEligibility } from './eligibility.js';
import type { MessageFields } from './input.js';
import { at, type IndexInCall } from './index-in-call.js';
import type { SenderRow } from '../tables/sender.js';
import { validateRecipients, validateTopic, type Addressed } from './validate.js';

/** A message of a call, before it is rendered. */
interface Unrendered {
  readonly input: MessageFields;
  readonly source: ContentSource | undefined;
  readonly indexInCall: IndexInCall;
}

/** The recipient of a message under a topic, and the variables that svc provides for it. */
interface Subscriber {
  readonly addressed: Addressed;
  readonly variables: SubscriberVariables;
}

const names = ['preferencesUrl', 'legalAddress'] as const satisfies readonly (keyof SubscriberVariables)[];

const mentions = ({ source }: Unrendered, name: string): boolean =>
  source !== undefined && [source.subject, source.text, source.html].some((part) => part?.includes(name) === true);

/**
 * The variables that svc provides to messages under a topic that are rendered from templates or use them: the page on
 * which the recipient unsubscribes, and the sender's postal address. An address that no contact has gets an empty
 * `preferencesUrl`: its message is not sent.
 * @returns one per message, in their order, undefined for messages that need none; and the sender, if it was read
 * @throws invalid_input if such a message does not have exactly one recipient
 */
export async function subscribersOf(
  context: Reading,
  environment: Environment,
  messages: readonly Unrendered[],
): Promise<{ subscribers: (Subscriber | undefined)[]; sender: SenderRow | null | undefined }> {
  const using = messages.flatMap((message) => {
    const { input, indexInCall } = message;
    const { topic } = input;
    if (topic === undefined) return [];
    // A template gets them at its end if it shows neither.
    if (input.template === undefined && !names.some((name) => mentions(message, name))) return [];
    const addressed = at(indexInCall, () => {
      const found = validateRecipients(input);
      validateTopic(input, found);
      return found;
    });
    return [{ message, topic, addressed }];
  });
  if (using.length === 0) return { subscribers: messages.map(() => undefined), sender: undefined };
  const urls = new Map<Unrendered, string>();
  const [sender] = await Promise.all([
    findSender(context, environment.id),
    ...groupBy(using, ({ topic }) => topic).map(async (group) => {
      const topic = group[0]?.topic ?? null;
      const addresses = group.map(({ addressed }) => addressed.to[0] ?? '');
      const found = await mailEligibility(context, environment, { topic, isSystem: false }, addresses);
      for (const [index, { message }] of group.entries())
        if (message.input.template !== undefined || mentions(message, 'preferencesUrl'))
          urls.set(message, found[index]?.preferencesUrl ?? '');
    }),
  ]);
  const legalAddress = sender?.legalAddress ? { legalAddress: sender.legalAddress } : {};
  const found = new Map(
    using.map(({ message, addressed }): [Unrendered, Subscriber] => [
      message,
      { addressed, variables: { preferencesUrl: urls.get(message) ?? '', ...legalAddress } },
    ]),
  );
  return { subscribers: messages.map((message) => found.get(message)), sender };
}
