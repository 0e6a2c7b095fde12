import './styles.css';
import { screens, type ProductConsole } from '#core/surfaces/console/kit/index.js';

/* What the product adds to the console; see core/surfaces/console/kit/screen.ts. */

export const face: ProductConsole['face'] = { icon: 'card', rank: 6 };

export const home: ProductConsole['home'] = () => import('./home.js');

export const search: ProductConsole['search'] = () => import('./search.js');

export const tasks: ProductConsole['tasks'] = [
  { title: 'Change the spending cap', needs: 'billing.cap.set', path: 'usage' },
];

export default screens([
  { path: 'usage', title: 'Usage', needs: 'billing.usage.get', load: () => import('./usage.js') },
  { path: 'invoice', title: 'Invoices', needs: 'billing.invoice.list', load: () => import('./invoices.js') },
  { path: 'invoice/:period', needs: 'billing.invoice.get', load: () => import('./invoice.js') },
  { path: 'payment', title: 'Payment', needs: 'billing.get', load: () => import('./payment.js') },
]);
