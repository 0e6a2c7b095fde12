import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { pathOf } from '#core/kernel/operation.js';
import type { Components } from './components.js';
import { describeEvents, eventsTag } from './events.js';
import { answerHeaders, parameters } from './headers.js';
import { describeOperation } from './operation.js';
import { securitySchemes } from './security.js';
import { cacheHeaders, type CachedPage } from '../cached-page.js';

/** The OpenAPI 3.1 description of all enabled operations, generated from the registry. */
export function describeApi(catalogue: Catalogue, baseUrl: string): Record<string, unknown> {
  const components: Components = new Map();
  const paths = Object.fromEntries(
    [...catalogue.operations.values()].map((operation) => [
      pathOf(operation.name),
      { post: describeOperation(operation, catalogue, components) },
    ]),
  );
  const webhooks = describeEvents(catalogue, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version: '1',
      description:
        'Outbound messaging, sign-in, audiences, billing, developer credentials and account administration. Every operation is one POST.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: `${baseUrl}/docs/reference`, description: 'The API reference.' },
    servers: [{ url: baseUrl }, { url: `${baseUrl}/v1`, description: 'The same operations under the /v1 prefix.' }],
    tags: [...[...catalogue.products].map(([name, description]) => ({ name, description })), eventsTag],
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(components),
      parameters,
      headers: answerHeaders,
      securitySchemes: securitySchemes(catalogue),
    },
    'x-svc-events': [...catalogue.events.keys()],
    'x-svc-errors': catalogue.enabledErrors,
  };
}

/**
 * GET /openapi.json, readable by browsers of any origin.
 * @param more more fields at its root
 */
export function descriptionPage(
  catalogue: Catalogue,
  baseUrl: string,
  more: Readonly<Record<string, unknown>>,
): CachedPage {
  const body = Buffer.from(JSON.stringify({ ...describeApi(catalogue, baseUrl), ...more }));
  return {
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Access-Control-Allow-Origin': '*',
      ...cacheHeaders(body),
    },
  };
}
