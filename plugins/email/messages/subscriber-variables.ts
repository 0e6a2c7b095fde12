import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import { groupBy } from '#core/messaging/group-by.js';
import { findSender } from '../senders/sender.js';
import type { SubscriberVariables } from '../templates/render.js';
import type { ContentSource } from '../templates/content.js';
import { checkEligibility } from './eligibility.js';
import type { MessageFields } from './input.js';
import { at, type Place } from './place.js';
import { validateRecipients, validateTopic } from './validate.js';

/** A message of a call, before it is rendered. */
interface Unrendered {
  readonly input: MessageFields;
  readonly source: ContentSource | undefined;
  readonly place: Place;
}

const names = ['preferencesUrl', 'legalAddress'] as const satisfies readonly (keyof SubscriberVariables)[];

const mentions = ({ source }: Unrendered, name: string): boolean =>
  source !== undefined && [source.subject, source.text, source.html].some((part) => part?.includes(name) === true);

/**
 * The variables that svc provides to messages under a topic that are rendered from templates or use them: the page on
 * which the recipient unsubscribes, and the sender's postal address. An address that no contact has gets an empty
 * `preferencesUrl`: its message is not sent.
 * @returns one set per message, in their order; undefined for messages that need none
 * @throws invalid_input if such a message does not have exactly one recipient
 */
export async function subscriberVariables(
  context: Pick<ReadContext, 'db' | 'use' | 'deployment'>,
  environment: Environment,
  messages: readonly Unrendered[],
): Promise<(SubscriberVariables | undefined)[]> {
  const using = messages.flatMap((message) => {
    const { input, place } = message;
    const { topic } = input;
    if (topic === undefined) return [];
    // A template gets them at its end if it shows neither.
    if (input.template === undefined && !names.some((name) => mentions(message, name))) return [];
    const address = at(place, () => {
      const addressed = validateRecipients(input);
      validateTopic(input, addressed);
      return addressed.to[0] ?? '';
    });
    return [{ message, topic, address }];
  });
  if (using.length === 0) return messages.map(() => undefined);
  const urls = new Map<Unrendered, string>();
  const [sender] = await Promise.all([
    findSender(context, environment.id),
    ...groupBy(using, ({ topic }) => topic).map(async (group) => {
      const topic = group[0]?.topic ?? null;
      const addresses = group.map(({ address }) => address);
      const found = await checkEligibility(context, environment, { topic, isSystem: false }, addresses);
      for (const [index, { message }] of group.entries())
        if (message.input.template !== undefined || mentions(message, 'preferencesUrl'))
          urls.set(message, found[index]?.preferencesUrl ?? '');
    }),
  ]);
  const wanting = new Set(using.map(({ message }) => message));
  return messages.map((message) =>
    wanting.has(message)
      ? {
          preferencesUrl: urls.get(message) ?? '',
          ...(sender?.legalAddress ? { legalAddress: sender.legalAddress } : {}),
        }
      : undefined,
  );
}
