import { products } from 'svc-console-products';
import type { ConsoleOperation, ConsoleProduct } from '../shared.js';
import { addressOf, idFieldOf } from '../kit/address.js';
import type { IconName } from '../kit/icon.js';
import type { Screen } from '../kit/screen.js';
import { catalogue, has } from '../kit/state.js';
import { groupOf, groupTitle, productOf } from '../kit/words.js';

/* The entries of the navigation: the screens that products made, then the lists and settings of the registry. */

export interface NavigationEntry {
  readonly title: string;
  readonly href: string;
  /** The address below the product, to recognize the current entry. */
  readonly path: string;
}

const icons: Readonly<Record<string, IconName>> = {
  email: 'mail',
  sms: 'message',
  audience: 'users',
  auth: 'key',
  developers: 'code',
  billing: 'card',
  account: 'building',
};

/** The icon of a product; a plain one for a product that the console does not know. */
export const iconOf = (product: string): IconName => icons[product] ?? 'list';

const titles: Readonly<Record<string, string>> = { auth: 'Sign-in', sms: 'Texts' };

/** The products in the order of the navigation. */
export function shownProducts(): ConsoleProduct[] {
  const order = Object.keys(icons);
  const rank = ({ name }: ConsoleProduct): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...(catalogue.value?.products ?? [])]
    .map((product) => ({ ...product, title: titles[product.name] ?? product.title }))
    .sort((a, b) => rank(a) - rank(b));
}

/** The screens that a product made, and that this server has the operations for. */
export const screensOf = (product: string): readonly Screen[] =>
  (products[product] ?? []).filter(({ needs }) => has(needs));

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
