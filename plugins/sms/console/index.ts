import './styles.css';
import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { title: 'Texts', icon: 'message', rank: 2 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export const tasks: ProductConsole['tasks'] = [
  { title: 'Write a text', needs: 'sms.send', path: 'conversation' },
  { title: 'Register with carriers', needs: 'sms.registration.submit', path: 'registration' },
];

export default screens([
  {
    path: 'conversation',
    title: 'Conversations',
    needs: 'sms.inbound.list',
    load: () => import('./conversations.js'),
  },
  { path: 'conversation/:number', needs: 'sms.inbound.list', load: () => import('./conversation.js') },
  { path: 'message', title: 'Messages', needs: 'sms.message.list', load: () => import('./messages.js') },
  { path: 'message/:id', needs: 'sms.message.get', load: () => import('./message.js') },
  { path: 'number', title: 'Numbers', needs: 'sms.number.list', load: () => import('./numbers.js') },
  {
    path: 'registration',
    title: 'Registration',
    needs: 'sms.registration.get',
    load: () => import('./registration.js'),
  },
]);
