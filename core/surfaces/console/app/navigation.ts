import { products } from 'svc-console-products';
import type { ConsoleOperation, ConsoleProduct } from '../shared.js';
import { addressOf, idFieldOf } from '../kit/address.js';
import type { IconName } from '../kit/icon.js';
import { loadPart } from '../kit/reach.js';
import type { ProductConsole, Screen, Task } from '../kit/screen.js';
import { acting, catalogue, has } from '../kit/state.js';
import { groupOf, groupTitle, productOf } from '../kit/words.js';

/* The entries of the navigation: the screens that products made, then the lists and settings of the registry. */

interface NavigationEntry {
  readonly title: string;
  readonly href: string;
  /** The address below the product, to recognize the current entry. */
  readonly path: string;
}

/** The icon of a product; a plain one for a product that the console does not know. */
export const iconOf = (product: string): IconName => products[product]?.face?.icon ?? 'list';

/** The products in the order of the navigation; those that the console does not know are last. */
export function shownProducts(): ConsoleProduct[] {
  const rank = ({ name }: ConsoleProduct): number => products[name]?.face?.rank ?? 100;
  return [...(catalogue.value?.products ?? [])]
    .map((product) => ({ ...product, title: products[product.name]?.face?.title ?? product.title }))
    .sort((a, b) => rank(a) - rank(b));
}

/** Those of them that the person may read or change something in. A narrowed membership leaves out whole products. */
export const openProducts = (): ConsoleProduct[] =>
  shownProducts().filter(({ name }) => {
    const held = acting.value?.permissions;
    return !held || held.has(`${name}:read`) || held.has(`${name}:write`);
  });

/** The parts of the enabled products that `part` picks, loaded. @throws SvcError if one does not load */
export async function partsOf<T>(
  part: (product: ProductConsole) => (() => Promise<{ readonly default: T }>) | undefined,
): Promise<T[]> {
  const loads = shownProducts().flatMap(({ name }) => {
    const product = products[name];
    return product ? (part(product) ?? []) : [];
  });
  return Promise.all(loads.map(async (load) => (await loadPart(load)).default));
}

/** The screens that a product made, and that this server has the operations for. */
export const screensOf = (product: string): readonly Screen[] =>
  (products[product]?.default ?? []).filter(({ needs }) => has(needs));

/** What people do on the screens of a product, as far as this server has the operations for it. */
export const tasksOf = (product: string): readonly Task[] =>
  (products[product]?.tasks ?? []).filter(({ needs }) => has(needs));

const isRegistryEntry = (each: ConsoleOperation): boolean =>
  each.read === true &&
  each.access === 'secret' &&
  (each.name.endsWith('.list') || (each.name.endsWith('.get') && idFieldOf(each) === undefined));

/** The entries of a product. */
export function entriesOf(product: string): NavigationEntry[] {
  const own = screensOf(product);
  const covered = own.map(({ path }) => path);
  const groups = (catalogue.value?.operations ?? [])
    .filter((each) => productOf(each) === product && isRegistryEntry(each))
    .map(groupOf);
  return [
    ...own.flatMap(({ title, path }): NavigationEntry[] =>
      title === undefined ? [] : [{ title, path, href: addressOf([product, ...path.split('/')]) }],
    ),
    ...[...new Set(groups)]
      .filter((group) => group !== '' && !covered.includes(group))
      .map((group) => ({ title: groupTitle(group), path: group, href: addressOf([product, group]) })),
  ];
}
