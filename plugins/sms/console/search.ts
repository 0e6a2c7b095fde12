import { addressOf, namedIn, plainNumber, textAt, type SearchSource } from '#core/surfaces/console/kit/index.js';
import { isAnswerable } from './parties.js';

const sources: readonly SearchSource[] = [
  {
    needs: 'sms.inbound.list',
    /** The conversation with a number, whether or not a contact has it. */
    find(query) {
      const number = plainNumber(query);
      return Promise.resolve(
        isAnswerable(number)
          ? [
              {
                group: 'Texts',
                icon: 'message' as const,
                title: `Conversation with ${number}`,
                href: addressOf(['sms', 'conversation', number]),
              },
            ]
          : [],
      );
    },
  },
  namedIn({
    needs: 'sms.template.list',
    rows: 'templates',
    group: 'Templates of texts',
    icon: 'message',
    title: (row) => textAt(row, 'template'),
    beside: (row) => textAt(row, 'description'),
    href: (row) => addressOf(['sms', 'template', textAt(row, 'template')]),
  }),
  namedIn({
    needs: 'sms.broadcast.list',
    rows: 'broadcasts',
    group: 'Broadcasts of texts',
    icon: 'message',
    title: (row) => textAt(row, 'name'),
    href: (row) => addressOf(['sms', 'broadcast', textAt(row, 'id')]),
  }),
];

export default sources;
