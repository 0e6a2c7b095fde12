import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { icon: 'code', rank: 5 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export const tasks: ProductConsole['tasks'] = [
  { title: 'Create secret key', needs: 'developers.key.create', path: 'key', opens: 'create' },
];

export default screens([
  { path: 'webhook', title: 'Webhooks', needs: 'developers.webhook.list', load: () => import('./webhooks.js') },
  { path: 'webhook/:id', needs: 'developers.webhook.get', load: () => import('./webhook.js') },
  {
    path: 'webhook.deliveries',
    title: 'Deliveries',
    needs: 'developers.webhook.deliveries.list',
    load: () => import('./deliveries.js'),
  },
  { path: 'webhook.delivery/:id', needs: 'developers.webhook.delivery.get', load: () => import('./delivery.js') },
  { path: 'event', title: 'Event log', needs: 'developers.event.list', load: () => import('./events.js') },
  { path: 'event/:id', needs: 'developers.event.get', load: () => import('./event.js') },
  { path: 'key', title: 'API keys', needs: 'developers.key.list', load: () => import('./keys.js') },
  { path: 'key/:id', needs: 'developers.key.list', load: () => import('./key.js') },
]);
