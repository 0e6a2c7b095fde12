import { screens } from '#core/surfaces/console/kit/index.js';

export default screens([{ path: 'contact/:id', needs: 'audience.contact.get', load: () => import('./person.js') }]);
