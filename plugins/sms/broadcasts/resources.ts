import { named, object } from '#core/kernel/schema/schema.js';
import { broadcastColumns, sharedFields } from '#core/messaging/broadcasts/resources.js';

export const SmsBroadcast = named(
  'SmsBroadcast',
  object(sharedFields, {
    description: 'A text to everybody who subscribed to a topic on sms.',
    columns: broadcastColumns,
  }),
);
