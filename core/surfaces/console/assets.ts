import { readFile } from 'node:fs/promises';
import { at, isRecord } from '#core/runtime/json.js';
import { cacheHeaders, type CachedPage } from '../cached-page.js';

/*
 * The files of the app in the browser. `npm run build` writes them to dist/console with names that contain a hash of
 * their content (scripts/build-console.ts), so that browsers may keep them forever.
 */

/** dist/console, whether this file runs from the sources or from dist. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/console/' : '../../../console/',
  import.meta.url,
);

interface Manifest {
  readonly script: string;
  readonly style: string;
  readonly font: string;
  readonly files: readonly string[];
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
};

async function readManifest(): Promise<Manifest> {
  const text = await readFile(new URL('manifest.json', folder), 'utf8').catch((cause: unknown) => {
    throw new Error('dist/console is missing: run `npm run build`.', { cause });
  });
  const found: unknown = JSON.parse(text);
  const textAt = (name: string): string => String(at(found, name));
  const files = isRecord(found) && Array.isArray(found['files']) ? found['files'].map(String) : [];
  return { script: textAt('script'), style: textAt('style'), font: textAt('font'), files };
}

let known: Promise<Manifest> | undefined;

/** The names of the built files. @throws Error if the console was not built */
export function manifest(): Promise<Manifest> {
  known ??= readManifest().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** Names that change with their content. */
const hashed = /-[A-Z0-9]{8}\.[a-z0-9]+$/;

const loaded = new Map<string, CachedPage>();

/** A file of the app; undefined if there is none of this name. It is read at the first request and then kept. */
export async function asset(name: string): Promise<CachedPage | undefined> {
  const kept = loaded.get(name);
  if (kept) return kept;
  if (!(await manifest()).files.includes(name)) return undefined;
  const body = await readFile(new URL(name, folder));
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const headers = {
    ...cacheHeaders(body),
    'Content-Type': type,
    ...(hashed.test(name) ? { 'Cache-Control': 'public, max-age=31536000, immutable' } : {}),
  };
  const page = { body, headers };
  loaded.set(name, page);
  return page;
}
