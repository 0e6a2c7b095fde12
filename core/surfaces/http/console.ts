import type { Context } from 'koa';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Services } from '#core/kernel/services.js';
import type { CachedPage } from '../cached-page.js';
import { asset } from '../console/assets.js';
import { cataloguePage } from '../console/catalogue-page.js';
import { previewPage } from '../console/preview-page.js';
import { shellPage } from '../console/shell-page.js';
import { answerCached, answerReadersOnly } from './infrastructure.js';
import { isReader } from './readers.js';

const root = '/console';
const assets = `${root}/assets/`;
/** Where a product answers for the session of the browser. */
export const consoleSessionPath = `${root}/session`;

/** Whether an address belongs to the console. */
export const isConsole = (path: string): boolean => path === root || path.startsWith(`${root}/`);

/** By catalogue, because a process may run several deployments in tests. */
const catalogues = new WeakMap<object, CachedPage>();

/**
 * Answers the addresses of the console: the document, its files, the catalogue, the frame of previews.
 * @throws not_found if the console has no such file
 */
export async function serveConsole(context: Context, services: Services): Promise<void> {
  if (!isReader(context)) {
    answerReadersOnly(context);
    return;
  }
  const page = await pageAt(context, services);
  if (!page) throw refusalOf.not_found({ thing: 'file', lookup: 'openapi.json' });
  answerCached(context, page);
}

async function pageAt({ path, URL }: Context, { catalogue, deployment }: Services): Promise<CachedPage | undefined> {
  if (path.startsWith(assets)) return asset(path.slice(assets.length));
  if (path === `${root}/preview`) return previewPage(URL.searchParams.get('images') === 'remote', deployment.baseUrl);
  if (path !== `${root}/catalogue.json`) return shellPage();
  const known = catalogues.get(catalogue) ?? cataloguePage(catalogue, deployment);
  catalogues.set(catalogue, known);
  return known;
}
