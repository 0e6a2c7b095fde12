import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { permissionOf, testRefusal, type Operation } from '#core/kernel/operation.js';
import { cacheHeaders, type CachedPage } from '../cached-page.js';
import { catalogueOf } from '../cli/describe.js';
import { goInputsOf } from '../sdk-go/generate/inputs.js';
import type { ConsoleCatalogue, ConsoleOperation } from './shared.js';
import { productTitle } from '../names.js';
import { ownVersion } from '../version.js';

/*
 * What the console knows about the server: its products and operations. Every list, detail page and form that has no
 * screen made by hand is derived from it, so a product that the console has never heard of is usable.
 */

/** GET /console/catalogue.json. It contains nothing that /openapi.json does not show to everyone. */
export function cataloguePage(
  catalogue: Catalogue,
  { baseUrl, production, products }: Pick<Deployment, 'baseUrl' | 'production' | 'products'>,
): CachedPage {
  const described = catalogueOf(catalogue);
  const answer: ConsoleCatalogue = {
    version: ownVersion(),
    baseUrl,
    production,
    signIn: products.includes('auth') ? 'session' : 'key',
    products: [...catalogue.products].map(([name, summary]) => ({ name, title: productTitle(name), summary })),
    groups: described.groups,
    operations: described.operations.map((operation): ConsoleOperation => {
      const declared = catalogue.operations.get(operation.name);
      return { ...operation, ...(declared ? accessOf(declared) : {}) };
    }),
    go: goInputsOf(catalogue.operations.values()),
  };
  const body = Buffer.from(JSON.stringify(answer));
  return { body, headers: { 'Content-Type': 'application/json; charset=utf-8', ...cacheHeaders(body) } };
}

/** What a screen needs to state why a caller may not call the operation. */
function accessOf(
  operation: Operation,
): Pick<ConsoleOperation, 'permission' | 'refusesTest' | 'ownerOnly' | 'billable' | 'mayBeOld'> {
  const permission = permissionOf(operation);
  const refusesTest = testRefusal(operation);
  return {
    ...(permission === null ? {} : { permission }),
    ...(refusesTest === null ? {} : { refusesTest }),
    ...(operation.ownerOnly ? { ownerOnly: true } : {}),
    ...(operation.impact.billable ? { billable: true } : {}),
    ...(operation.mayBeOld === undefined ? {} : { mayBeOld: true }),
  };
}
