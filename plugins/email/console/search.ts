import {
  addressOf,
  askedIn,
  choiceText,
  namedIn,
  textAt,
  type SearchSource,
} from '#core/surfaces/console/kit/index.js';

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
  // The latest messages to an address.
  askedIn({
    needs: 'email.message.list',
    input: (to) => (to.includes('@') ? { to } : undefined),
    rows: 'messages',
    found: (row, to) => ({
      group: 'Messages',
      icon: 'mail',
      title: textAt(row, 'subject'),
      beside: `to ${to}`,
      after: choiceText(textAt(row, 'status')),
      href: addressOf(['email', 'message', textAt(row, 'messageId')]),
    }),
  }),
];

export default sources;
