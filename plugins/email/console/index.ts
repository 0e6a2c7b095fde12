import { screens } from '#core/surfaces/console/kit/index.js';

export default screens([
  {
    path: 'message',
    title: 'Messages',
    needs: 'email.message.list',
    load: () => import('./messages.js'),
  },
  { path: 'message/:id', needs: 'email.message.get', load: () => import('./message.js') },
]);
