import { declareEvents } from '#core/kernel/event.js';
import { object } from '#core/kernel/schema/schema.js';
import { exampleBroadcast, exampleClosed, exampleHeld, exampleSending } from './examples.js';
import { SmsBroadcast } from './resources.js';

const broadcast = object({ broadcast: SmsBroadcast });

export const broadcastEvents = declareEvents({
  'sms.broadcast.created': {
    summary: 'A draft of a broadcast of texts was created.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleBroadcast },
  },
  'sms.broadcast.queued': {
    summary: 'A broadcast of texts was sent, or scheduled to be sent.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleSending },
  },
  'sms.broadcast.paused': {
    summary: 'A broadcast of texts is held: nothing of it leaves until it is resumed.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleHeld },
  },
  'sms.broadcast.resumed': {
    summary: 'A held broadcast of texts goes on.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleSending },
  },
  'sms.broadcast.cancelled': {
    summary: 'A broadcast of texts was cancelled. Texts that had left are not recalled.',
    subject: 'broadcast',
    requires: ['audience'],
    data: broadcast,
    example: { broadcast: exampleClosed },
  },
});
