import type { Context } from 'koa';
import type { Plugin } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import { coreSettings } from '#core/kernel/settings.js';
import type { Site } from '../docs/site.js';
import { answerCached, answerReadersOnly } from './infrastructure.js';
import { isReader } from './readers.js';

const root = '/docs';

/** Texts of the site for language models, beside its pages. */
const texts = ['/docs.md', '/llms.txt'];

/** The addresses of the reference before it was a part of the site. */
const formerRoot = '/reference';

const isBelow = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Whether an address belongs to the documentation. */
export const isDocs = (path: string): boolean =>
  isBelow(root, path) || texts.includes(path) || isBelow(formerRoot, path);

/** Where a former address, or one with a slash too many, leads; undefined for all others. */
function movedTo(path: string): string | undefined {
  const trimmed = withoutSlashesAtEnd(path);
  if (trimmed === `${formerRoot}/errors`) return `${root}/errors`;
  if (isBelow(formerRoot, trimmed)) return `${root}/reference${trimmed.slice(formerRoot.length)}`;
  return trimmed === path ? undefined : trimmed;
}

/** Not by a pattern such as `/\/+$/`: its time grows with the square of the number of slashes inside the path. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Answers the addresses of the documentation, which is read at the first request. */
export function docsAnswerer(
  { catalogue, deployment }: Services,
  plugins: readonly Plugin[],
): (context: Context) => Promise<void> {
  const settings = [coreSettings, ...plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []))];
  let made: Promise<Site> | undefined;
  const site = (): Promise<Site> => {
    made ??= import('../docs/site.js')
      .then(({ createSite }) =>
        createSite({
          catalogue,
          baseUrl: deployment.baseUrl,
          hasConsole: deployment.settings.console === 'on',
          settings,
        }),
      )
      .catch((error: unknown) => {
        made = undefined;
        throw error;
      });
    return made;
  };
  return async (context) => {
    if (!isReader(context)) {
      answerReadersOnly(context);
      return;
    }
    const moved = movedTo(context.path);
    if (moved !== undefined) {
      context.status = 301;
      context.set('Location', moved);
      return;
    }
    const { answer, missing } = await site();
    const found = await answer(context.path);
    answerCached(context, found ?? missing);
    if (!found) context.status = 404;
  };
}
