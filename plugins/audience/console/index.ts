import './styles.css';
import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { icon: 'users', rank: 3 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export const tasks: ProductConsole['tasks'] = [
  { title: 'Add contact', needs: 'audience.contact.upsert', path: 'contact', opens: 'create' },
  { title: 'Create segment', needs: 'audience.segment.create', path: 'segment/new' },
  { title: 'Create topic', needs: 'audience.topic.create', path: 'topic', opens: 'create' },
  { title: 'Import contacts', needs: 'audience.contact.import', path: 'import' },
];

export default screens([
  { path: 'contact', title: 'Contacts', needs: 'audience.contact.list', load: () => import('./contacts.js') },
  { path: 'segment', title: 'Segments', needs: 'audience.segment.list', load: () => import('./segments.js') },
  { path: 'segment/:segmentId', needs: 'audience.segment.get', load: () => import('./segment.js') },
  { path: 'topic', title: 'Topics', needs: 'audience.topic.list', load: () => import('./topics.js') },
  { path: 'topic/:topic', needs: 'audience.topic.get', load: () => import('./topic.js') },
  { path: 'import', title: 'Imports', needs: 'audience.contact.import', load: () => import('./imports.js') },
  { path: 'import/:importId', needs: 'audience.import.get', load: () => import('./import-progress.js') },
  {
    path: 'suppression',
    title: 'Suppressions',
    needs: 'audience.suppression.list',
    load: () => import('./suppressions.js'),
  },
  { path: 'contact/:id', needs: 'audience.contact.get', load: () => import('./person.js') },
]);
