import {
  addressOf,
  namedIn,
  plainNumber,
  readOnce,
  rowsAt,
  textAt,
  type Found,
  type SearchSource,
} from '#core/surfaces/console/kit/index.js';

const most = 6;

/** Contacts by the start of their name, address or number; the server has indexes for them. */
const contacts: SearchSource = {
  needs: 'audience.contact.list',
  async find(text) {
    const query = /^\+?[\d\s()./-]+$/.test(text) ? plainNumber(text) : text;
    const reply = await readOnce('audience.contact.list', { query, limit: most });
    return rowsAt(reply, 'contacts').map((row): Found => {
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
    });
  },
};

const sources: readonly SearchSource[] = [
  contacts,
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
