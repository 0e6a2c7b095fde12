import type { Catalogue } from '#core/kernel/catalogue.js';
import { cacheHeaders, type CachedPage } from '#core/surfaces/cached-page.js';
import { describeApi } from './document.js';

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
