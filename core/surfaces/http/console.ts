import type { Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Services } from '#core/kernel/services.js';
import { matchesETag, type CachedPage } from '../cached-page.js';
import { asset } from '../console/assets.js';
import { cataloguePage } from '../console/catalogue.js';
import { previewedHtml, previewHeaders, previewLimit } from '../console/preview.js';
import { shellPage } from '../console/shell-page.js';
import type { WithBody } from './body.js';
import { requireOwnForm } from './form-origin.js';
import { answerReadersOnly } from './infrastructure.js';
import { isReader } from './readers.js';

const root = '/console';
const preview = `${root}/preview`;
const assets = `${root}/assets/`;

/** Whether an address belongs to the console. */
export const isConsole = (path: string): boolean => path === root || path.startsWith(`${root}/`);

/** By catalogue, because a process may run several deployments in tests. */
const catalogues = new WeakMap<object, CachedPage>();

/**
 * Answers the addresses of the console: the document, its files, the catalogue, and the frame of an email's preview.
 * @throws not_found, forbidden if another site posts to the preview
 */
export async function serveConsole(
  context: Context,
  services: Services,
  request: RequestFacts,
  withBody: WithBody,
): Promise<void> {
  const { path } = context;
  if (path === preview && context.method === 'POST') return showPreview(context, services, request, withBody);
  if (!isReader(context)) {
    answerReadersOnly(context);
    return;
  }
  const page = await pageAt(path, services);
  if (!page) throw refusalOf.not_found({ thing: 'file', lookup: 'openapi.json' });
  context.set({ ...page.headers });
  if (matchesETag(context.get('If-None-Match'), page.headers.ETag)) context.status = 304;
  else context.body = page.body;
}

async function pageAt(path: string, { catalogue, deployment }: Services): Promise<CachedPage | undefined> {
  if (path.startsWith(assets)) return asset(path.slice(assets.length));
  if (path !== `${root}/catalogue.json`) return shellPage();
  const known = catalogues.get(catalogue) ?? cataloguePage(catalogue, deployment);
  catalogues.set(catalogue, known);
  return known;
}

async function showPreview(
  context: Context,
  { deployment }: Services,
  request: RequestFacts,
  withBody: WithBody,
): Promise<void> {
  requireOwnForm(context, deployment.baseUrl);
  const shown = await withBody(context.req, { limit: previewLimit, request }, async (bytes) => previewedHtml(bytes));
  if (shown === undefined)
    throw refusalOf.invalid_input({ field: 'html', problem: 'is missing', details: { field: 'html' } });
  context.set({ ...previewHeaders(context.URL.searchParams.get('images') === 'remote') });
  context.body = shown;
}
