import { declareEvents } from '#core/kernel/event.js';
import { object, text } from '#core/kernel/schema/schema.js';

export const events = declareEvents({
  'ping.word.added': {
    summary: 'A word was added.',
    subject: 'word',
    data: object({ word: text() }),
    example: { word: 'hello' },
  },
  'ping.word.forwarded': {
    summary: 'A word was sent to SVC_PING_FORWARD_URL.',
    subject: 'word',
    data: object({ word: text() }),
    example: { word: 'hello' },
  },
});

declare module '#core/kernel/event.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
