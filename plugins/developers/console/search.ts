import { addressOf, namedIn, textAt, type SearchSource } from '#core/surfaces/console/kit/index.js';

const sources: readonly SearchSource[] = [
  namedIn({
    needs: 'developers.webhook.list',
    rows: 'endpoints',
    group: 'Webhooks',
    icon: 'webhook',
    title: (row) => textAt(row, 'url'),
    words: (row) => textAt(row, 'description'),
    beside: (row) => textAt(row, 'description'),
    href: (row) => addressOf(['developers', 'webhook', textAt(row, 'endpointId')]),
  }),
  namedIn({
    needs: 'developers.key.list',
    rows: 'keys',
    group: 'API keys',
    icon: 'key',
    title: (row) => textAt(row, 'name') || textAt(row, 'prefix'),
    words: (row) => textAt(row, 'prefix'),
    href: (row) => addressOf(['developers', 'key', textAt(row, 'id')]),
  }),
];

export default sources;
