import { screens } from '#core/surfaces/console/kit/index.js';

export default screens([
  { path: 'user', title: 'Users', needs: 'auth.user.list', load: () => import('./users.js') },
  { path: 'user/:id', needs: 'auth.user.get', load: () => import('./user.js') },
]);
