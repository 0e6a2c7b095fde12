import { screens } from '#core/surfaces/console/kit/index.js';

export default screens([
  { path: 'segment', title: 'Segments', needs: 'audience.segment.list', load: () => import('./segments.js') },
  { path: 'segment/:segmentId', needs: 'audience.segment.get', load: () => import('./segment.js') },
  { path: 'topic', title: 'Topics', needs: 'audience.topic.list', load: () => import('./topics.js') },
  { path: 'topic/:topic', needs: 'audience.topic.get', load: () => import('./topic.js') },
  { path: 'import', title: 'Imports', needs: 'audience.contact.import', load: () => import('./imports.js') },
  { path: 'import/:importId', needs: 'audience.import.get', load: () => import('./import-progress.js') },
]);
