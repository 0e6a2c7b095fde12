import { readFile } from 'node:fs/promises';
import { cacheHeaders, etagOf, type CachedPage } from '../cached-page.js';
import { docsRoot } from './documents.js';
import { script } from './script.js';
import { siteStyles } from './styles.js';

/** The addresses of the files that a page loads. */
export interface AssetPaths {
  readonly styles: string;
  readonly script: string;
  /** The module that searches, loaded with the first search. */
  readonly search: string;
  /** The index that it searches. */
  readonly index: string;
}

/** minisearch for browsers: one ES module without imports. */
async function searchModule(): Promise<Buffer> {
  const text = await readFile(new URL(import.meta.resolve('minisearch')), 'utf8');
  return Buffer.from(text.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
}

/** Browsers may keep a file whose address changes with its content. */
const forever = { 'Cache-Control': 'public, max-age=31536000, immutable' } as const;

const fileOf = (name: string, type: string, body: Buffer): [string, CachedPage] => {
  const [base = '', extension = ''] = name.split('.');
  const hash = etagOf(body)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 10);
  return [
    `${docsRoot}/assets/${base}-${hash}.${extension}`,
    { body, headers: { ...cacheHeaders(body), ...forever, 'Content-Type': `${type}; charset=utf-8` } },
  ];
};

interface Assets {
  readonly paths: AssetPaths;
  /** By address. */
  readonly files: ReadonlyMap<string, CachedPage>;
}

async function makeAssets(): Promise<Assets> {
  const styles = fileOf('site.css', 'text/css', Buffer.from(siteStyles()));
  const own = fileOf('site.js', 'text/javascript', Buffer.from(script));
  const search = fileOf('search.js', 'text/javascript', await searchModule());
  return {
    paths: { styles: styles[0], script: own[0], search: search[0], index: `${docsRoot}/search.json` },
    files: new Map([styles, own, search]),
  };
}

let made: Promise<Assets> | undefined;

/** The files of the site, the same for every deployment of this version. */
export function assets(): Promise<Assets> {
  made ??= makeAssets().catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}
