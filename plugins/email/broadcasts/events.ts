import { declareEvents } from '#core/kernel/event.js';
import { object } from '#core/kernel/schema/schema.js';
import { exampleBroadcast, exampleClosed, exampleHeld, exampleSending } from './examples.js';
import { Broadcast } from './resources.js';

const broadcast = object({ broadcast: Broadcast });

export const broadcastEvents = declareEvents({
  'email.broadcast.created': {
    summary: 'A draft broadcast was created.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleBroadcast },
  },
  'email.broadcast.updated': {
    summary: 'A draft broadcast changed.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleBroadcast },
  },
  'email.broadcast.queued': {
    summary: 'A broadcast was sent, or scheduled to be sent.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleSending },
  },
  'email.broadcast.paused': {
    summary: 'A broadcast is held: none of its messages are sent until it is resumed.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleHeld },
  },
  'email.broadcast.resumed': {
    summary: 'A held broadcast was resumed.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleSending },
  },
  'email.broadcast.cancelled': {
    summary: 'A broadcast was cancelled. Sent messages are not recalled.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleClosed },
  },
});
