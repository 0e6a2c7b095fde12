import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { icon: 'mail', rank: 1 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export default screens([
  {
    path: 'message',
    title: 'Messages',
    needs: 'email.message.list',
    load: () => import('./messages.js'),
  },
  { path: 'message/:id', needs: 'email.message.get', load: () => import('./message.js') },
  { path: 'domain/:id', needs: 'email.domain.get', load: () => import('./domain.js') },
]);
