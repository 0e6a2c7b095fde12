import {
  addressOf,
  askedIn,
  namedIn,
  plainNumber,
  textAt,
  type SearchSource,
} from '#core/surfaces/console/kit/index.js';

const sources: readonly SearchSource[] = [
  // By the start of their name, address or number; the server has indexes for them.
  askedIn({
    needs: 'audience.contact.list',
    input: (text) => ({ query: /^\+?[\d\s()./-]+$/.test(text) ? plainNumber(text) : text }),
    rows: 'contacts',
    found(row) {
      const name = [textAt(row, 'firstName'), textAt(row, 'lastName')].filter((part) => part !== '').join(' ');
      const address = textAt(row, 'email') || textAt(row, 'phone');
      return {
        group: 'People',
        icon: 'user',
        title: name || address || textAt(row, 'externalId'),
        beside: name === '' ? '' : address,
        after: 'Contact',
        person: address.toLowerCase(),
        href: addressOf(['audience', 'contact', textAt(row, 'id')]),
      };
    },
  }),
  namedIn({
    needs: 'audience.segment.list',
    rows: 'segments',
    group: 'Segments',
    icon: 'users',
    title: (row) => textAt(row, 'name'),
    href: (row) => addressOf(['audience', 'segment', textAt(row, 'id')]),
  }),
  namedIn({
    needs: 'audience.topic.list',
    rows: 'topics',
    group: 'Topics',
    icon: 'list',
    title: (row) => textAt(row, 'name'),
    words: (row) => textAt(row, 'key'),
    href: (row) => addressOf(['audience', 'topic', textAt(row, 'key')]),
  }),
];

export default sources;
