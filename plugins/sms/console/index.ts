import { screens } from '#core/surfaces/console/kit/index.js';

export default screens([
  { path: 'message', title: 'Messages', needs: 'sms.message.list', load: () => import('./messages.js') },
  { path: 'message/:id', needs: 'sms.message.get', load: () => import('./message.js') },
]);
