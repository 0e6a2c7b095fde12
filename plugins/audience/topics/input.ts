import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { Deployment } from '#core/kernel/deployment.js';
import {
  boolean,
  filledText,
  list,
  nullable,
  object,
  optional,
  text,
  url,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import type { Channel } from '../ports.js';
import { channel } from '../resources.js';
import type { SubscribeForm } from '../tables/topic.js';

/* The fields of a topic that can change. Its key cannot: consents, templates and links refer to it. */

export const topicName = filledText('The name shown on the preferences page.', 120);
export const topicDescription = nullable(
  text('What subscribers receive; shown on the preferences page.', { maxLength: 500 }),
);
export const topicChannels = list(channel, 'The channels on which people can subscribe to it.', {
  minItems: 1,
  uniqueItems: true,
});
export const isPublic = boolean('Whether it is shown on the preferences page.');

const subscribeFormFields = object({
  doubleOptIn: optional(
    boolean(
      'Whether people confirm the subscription by mail; true by default. Without it, anybody can subscribe any address that has never opted out.',
    ),
  ),
  redirectUrl: optional(
    nullable(
      url('The https address where people are sent after they have subscribed; null, the default, for svc’s own page.'),
    ),
  ),
});

/** It is an input without the product email, too: a form that was set up before that was disabled can be removed. */
export const subscribeFormInput = optional({
  ...nullable(subscribeFormFields),
  description:
    'A hosted page where people subscribe themselves by email, and to which a form of your own can post; null for none.',
});

/**
 * The settings of a subscribe form, as they are stored.
 * @throws invalid_input for a topic that cannot be subscribed to by email, for an address that is not https, and
 *   without the product email, because mail confirms subscriptions
 */
export function subscribeFormOf(
  given: ValueOf<typeof subscribeFormFields> | null,
  channels: readonly Channel[],
  { products }: Pick<Deployment, 'products'>,
): SubscribeForm | null {
  if (given === null) return null;
  if (!products.includes('email'))
    throw invalidField(
      'subscribeForm',
      'needs the product email, which this deployment does not have; only null is possible',
    );
  if (!channels.includes('email'))
    throw invalidField('subscribeForm', 'needs the channel email: the form takes email addresses');
  const { doubleOptIn = true, redirectUrl = null } = given;
  if (redirectUrl !== null && !isPlainHttps(redirectUrl))
    throw invalidField('subscribeForm.redirectUrl', 'must be an https address without a user name or password');
  return { doubleOptIn, redirectUrl };
}

/**
 * The settings of a topic's form after an update.
 * @param given undefined if the update leaves the form as it is
 * @throws invalid_input like `subscribeFormOf`, and if the update removes the channel email, which the form needs
 */
export function updatedSubscribeForm(
  given: ValueOf<typeof subscribeFormFields> | null | undefined,
  before: SubscribeForm | null,
  channels: readonly Channel[],
  deployment: Pick<Deployment, 'products'>,
): SubscribeForm | null {
  if (given !== undefined) return subscribeFormOf(given, channels, deployment);
  if (before && !channels.includes('email'))
    throw invalidField(
      'channels',
      'must contain email: the topic has a subscribe form; remove it with subscribeForm null',
    );
  return before;
}

function isPlainHttps(address: string): boolean {
  const { protocol, username, password } = new URL(address);
  return protocol === 'https:' && username === '' && password === '';
}
