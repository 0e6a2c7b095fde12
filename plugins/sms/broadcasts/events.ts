import { declareEvents } from '#core/kernel/event.js';
import { object } from '#core/kernel/schema/schema.js';
import { exampleBroadcast, exampleClosed, exampleHeld, exampleSending } from './examples.js';
import { SmsBroadcast } from './resources.js';

const broadcast = object({ broadcast: SmsBroadcast });

export const broadcastEvents = declareEvents({
  'sms.broadcast.created': {
    summary: 'A draft SMS broadcast was created.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleBroadcast },
  },
  'sms.broadcast.queued': {
    summary: 'An SMS broadcast was sent, or scheduled to be sent.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleSending },
  },
  'sms.broadcast.paused': {
    summary: 'An SMS broadcast is held: none of its messages are sent until it is resumed.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleHeld },
  },
  'sms.broadcast.resumed': {
    summary: 'A held SMS broadcast was resumed.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleSending },
  },
  'sms.broadcast.cancelled': {
    summary: 'An SMS broadcast was cancelled. Sent messages are not recalled.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleClosed },
  },
});
