import {
  addressOf,
  choiceText,
  namedIn,
  readOnce,
  rowsAt,
  textAt,
  type Found,
  type SearchSource,
} from '#core/surfaces/console/kit/index.js';

const most = 6;

/** The latest messages to an address. */
const messages: SearchSource = {
  needs: 'email.message.list',
  async find(query) {
    if (!query.includes('@')) return [];
    const reply = await readOnce('email.message.list', { to: query, limit: most });
    return rowsAt(reply, 'messages').map((row): Found => ({
      group: 'Messages',
      icon: 'mail',
      title: textAt(row, 'subject'),
      beside: `to ${query}`,
      after: choiceText(textAt(row, 'status')),
      href: addressOf(['email', 'message', textAt(row, 'messageId')]),
    }));
  },
};

const sources: readonly SearchSource[] = [
  namedIn({
    needs: 'email.template.list',
    rows: 'templates',
    group: 'Templates',
    icon: 'mail',
    title: (row) => textAt(row, 'template'),
    words: (row) => textAt(row, 'description'),
    beside: (row) => textAt(row, 'description'),
    href: (row) => addressOf(['email', 'template', textAt(row, 'template')]),
  }),
  namedIn({
    needs: 'email.broadcast.list',
    rows: 'broadcasts',
    group: 'Broadcasts',
    icon: 'send',
    title: (row) => textAt(row, 'name'),
    words: (row) => textAt(row, 'subject'),
    beside: (row) => textAt(row, 'subject'),
    after: (row) => choiceText(textAt(row, 'status')),
    href: (row) => addressOf(['email', 'broadcast', textAt(row, 'id')]),
  }),
  namedIn({
    needs: 'email.automation.list',
    rows: 'automations',
    group: 'Automations',
    icon: 'play',
    title: (row) => textAt(row, 'name'),
    after: (row) => choiceText(textAt(row, 'status')),
    href: (row) => addressOf(['email', 'automation', textAt(row, 'id')]),
  }),
  namedIn({
    needs: 'email.domain.list',
    rows: 'domains',
    group: 'Domains',
    icon: 'mail',
    title: (row) => textAt(row, 'domain'),
    after: (row) => choiceText(textAt(row, 'status')),
    href: (row) => addressOf(['email', 'domain', textAt(row, 'id')]),
  }),
  messages,
];

export default sources;
