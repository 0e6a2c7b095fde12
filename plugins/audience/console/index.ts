import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { icon: 'users', rank: 3 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export default screens([{ path: 'contact/:id', needs: 'audience.contact.get', load: () => import('./person.js') }]);
