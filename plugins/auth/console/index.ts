import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { title: 'Sign-in', icon: 'key', rank: 4 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const developerSignIn: ProductConsole['developerSignIn'] = () => import('./developer-sign-in.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export default screens([]);
