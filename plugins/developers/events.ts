import { declareEvents } from '#core/kernel/events/declare.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { Key } from './resources.js';

export const events = declareEvents({
  'developers.key.created': { summary: 'A key was made.', subject: 'key', data: object({ key: Key }) },
  'developers.key.updated': {
    summary: 'A key’s name, permissions or origins changed.',
    subject: 'key',
    data: object({ key: Key }),
  },
  'developers.key.rotated': {
    summary: 'A key was replaced; the old one stopped at once.',
    subject: 'key',
    data: object({ key: Key, revokedKeyId: uuid() }),
  },
  'developers.key.revoked': { summary: 'A key was revoked.', subject: 'key', data: object({ key: Key }) },
});

declare module '#core/kernel/events/declare.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
