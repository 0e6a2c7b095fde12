import { named, object } from '#core/kernel/schema/schema.js';
import { broadcastColumns, sharedFields } from '#core/messaging/broadcasts/resources.js';

export const SmsBroadcast = named(
  'SmsBroadcast',
  object(sharedFields, {
    description: 'A text message to everyone who subscribed to a topic by SMS.',
    columns: broadcastColumns,
  }),
);
