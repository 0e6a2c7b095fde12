import { at } from '#core/runtime/json.js';
import { reach } from '../call.js';
import { readConfig } from './config.js';

/** The products that a server has enabled, as GET / states; undefined if it does not. */
export async function productsAt(baseUrl: string): Promise<readonly string[] | undefined> {
  const answer = await reach(baseUrl, '/', { headers: { Accept: 'application/json' } });
  const products = at(await answer.json().catch(() => undefined), 'products');
  return Array.isArray(products) ? products.filter((name) => typeof name === 'string') : undefined;
}

/**
 * The products that the profile's server had when its keys were stored, for help, which calls no server; undefined if
 * they are not known.
 */
export async function storedProducts(argv: readonly string[]): Promise<readonly string[] | undefined> {
  const isOther = argv.some((word) => /^--(base-url|profile)\b/.test(word)) || Boolean(process.env['SVC_API_URL']);
  if (isOther) return undefined;
  const { current, profiles } = await readConfig().catch(() => ({ current: '', profiles: {} }));
  return Object.entries(profiles).find(([name]) => name === current)?.[1].products;
}
