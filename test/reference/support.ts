import type { Registry } from '#core/kernel/registry/registry.js';
import { coreSettings } from '#core/kernel/settings.js';
import { createSite } from '#core/surfaces/docs/site.js';
import type { CachedPage } from '#core/surfaces/cached-page.js';

/** The page at an address of the documentation of a deployment with this registry. */
export async function pageReader(
  catalogue: Registry,
  baseUrl = 'https://svc.example.com',
): Promise<(path: string) => Promise<CachedPage>> {
  const settings = [coreSettings, ...catalogue.plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []))];
  const site = await createSite({ catalogue, baseUrl, hasConsole: true, settings });
  return async (path) => {
    const page = await site.answer(path);
    if (!page) throw new Error(`There is no page ${path}.`);
    return page;
  };
}
