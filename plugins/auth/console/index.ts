import './styles.css';
import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { title: 'Sign-in', icon: 'key', rank: 4 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const developerSignIn: ProductConsole['developerSignIn'] = () => import('./developer-sign-in.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export const tasks: ProductConsole['tasks'] = [
  { title: 'Change sign-in settings', needs: 'auth.settings.set', path: 'settings' },
  { title: 'Connect an app for sign-in', needs: 'auth.settings.set', path: 'app', opens: 'create' },
];

export default screens([
  { path: 'user', title: 'Users', needs: 'auth.user.list', load: () => import('./users.js') },
  { path: 'user/:id', needs: 'auth.user.get', load: () => import('./user.js') },
  { path: 'settings', title: 'Settings', needs: 'auth.settings.get', load: () => import('./settings.js') },
  { path: 'app', title: 'Apps', needs: 'auth.settings.get', load: () => import('./apps.js') },
  { path: 'app/:id', needs: 'auth.settings.get', load: () => import('./app.js') },
  { path: 'org', title: 'Organizations', needs: 'auth.org.list', load: () => import('./organizations.js') },
  { path: 'org/:id', needs: 'auth.org.list', load: () => import('./organization.js') },
]);
