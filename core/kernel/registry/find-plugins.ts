import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from '../plugin.js';

/** The plugins folder beside core: sources when run from sources, built JavaScript when run built. */
const pluginsFolder = fileURLToPath(new URL('../../../plugins/', import.meta.url));
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

const isPlugin = (value: unknown): value is Plugin =>
  typeof value === 'object' && value !== null && 'name' in value && 'operations' in value && 'tables' in value;

/**
 * Every plugin in the repository: a product exists if its folder exists.
 * @throws Error if the default export of a plugins/<name>/index is not a definePlugin
 */
export async function findPlugins(folder = pluginsFolder): Promise<Plugin[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const found: Plugin[] = [];
  for (const name of names.sort()) {
    const path = join(folder, name, `index.${extension}`);
    if (!(await exists(path))) continue;
    const loaded: unknown = await import(pathToFileURL(path).href);
    const plugin: unknown = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'default') : undefined;
    if (!isPlugin(plugin)) throw new Error(`plugins/${name}/index.ts has no definePlugin({…}) as its default export.`);
    found.push(plugin);
  }
  return found;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
