import { email, filledText, named, nullable, object, text } from '#core/kernel/schema/schema.js';
import { broadcastColumns, broadcastInput, sharedFields } from '#core/messaging/broadcasts/resources.js';

export { BroadcastReadiness, broadcastStatus } from '#core/messaging/broadcasts/resources.js';

export const Broadcast = named(
  'Broadcast',
  object(
    {
      ...sharedFields,
      from: email('The sender’s address.'),
      subject: nullable(text('Replaces the template’s subject; null if it does not.')),
    },
    { description: 'A message to everyone who subscribed to a topic.', columns: broadcastColumns },
  ),
);

/** The fields that create and update take. */
export const broadcastFields = {
  ...broadcastInput('email'),
  from: email('The sender’s address, on the project’s own sending domain or a verified one.'),
  subject: filledText('Replaces the template’s subject. May contain variables.', 998),
} as const;
