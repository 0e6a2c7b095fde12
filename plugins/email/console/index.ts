import './styles.css';
import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { icon: 'mail', rank: 1 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export const tasks: ProductConsole['tasks'] = [
  { title: 'Send email', needs: 'email.send', path: 'compose' },
  { title: 'Add domain', needs: 'email.domain.add', path: 'domain', opens: 'create' },
  { title: 'Create broadcast', needs: 'email.broadcast.create', path: 'broadcast/new' },
  { title: 'Create template', needs: 'email.template.draft.save', path: 'template', opens: 'create' },
  { title: 'Create automation', needs: 'email.automation.create', path: 'automation/new' },
];

export default screens([
  { path: 'broadcast', title: 'Broadcasts', needs: 'email.broadcast.list', load: () => import('./broadcasts.js') },
  { path: 'broadcast/:broadcastId', needs: 'email.broadcast.get', load: () => import('./broadcast.js') },
  { path: 'template', title: 'Templates', needs: 'email.template.list', load: () => import('./templates.js') },
  { path: 'template/:template', needs: 'email.template.get', load: () => import('./template.js') },
  { path: 'automation', title: 'Automations', needs: 'email.automation.list', load: () => import('./automations.js') },
  { path: 'automation/:automationId', needs: 'email.automation.get', load: () => import('./automation.js') },
  {
    path: 'automation/:automationId/run/:runId',
    needs: 'email.automation.run.get',
    load: () => import('./automation-run.js'),
  },
  {
    path: 'message',
    title: 'Messages',
    needs: 'email.message.list',
    load: () => import('./messages.js'),
  },
  { path: 'connect', title: 'Connect an app', needs: 'email.sender.get', load: () => import('./connect.js') },
  { path: 'compose', needs: 'email.send', load: () => import('./compose.js') },
  { path: 'inbound', title: 'Received mail', needs: 'email.inbound.list', load: () => import('./inbox.js') },
  { path: 'inbound/:id', needs: 'email.inbound.get', load: () => import('./inbox-conversation.js') },
  { path: 'message/:id', needs: 'email.message.get', load: () => import('./message.js') },
  { path: 'domain', title: 'Domains', needs: 'email.domain.list', load: () => import('./domains.js') },
  { path: 'domain/:id', needs: 'email.domain.get', load: () => import('./domain.js') },
]);
