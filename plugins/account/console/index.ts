import './styles.css';
import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { icon: 'building', rank: 7 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export const tasks: ProductConsole['tasks'] = [
  { title: 'Invite member', needs: 'account.member.invite', path: 'member', opens: 'create' },
  { title: 'Change the theme', needs: 'account.theme.draft.save', path: 'theme' },
];

export default screens([
  { path: 'activity', title: 'Audit log', needs: 'account.activity.list', load: () => import('./audit-log.js') },
  { path: 'activity/:id', needs: 'account.activity.get', load: () => import('./audit-record.js') },
  { path: 'member', title: 'Members', needs: 'account.member.list', load: () => import('./members.js') },
  { path: 'project', title: 'Projects', needs: 'account.project.list', load: () => import('./projects.js') },
  { path: 'theme', title: 'Theme', needs: 'account.theme.get', load: () => import('./theme.js') },
]);
