import { useLocation } from 'preact-iso/router';
import { operationNamed, catalogue, acting, type Row } from './state.js';
import { groupOf, productOf } from './words.js';
import type { ConsoleOperation } from '../shared.js';

/*
 * Addresses of screens: /console/<environment>/<product>/<screen>…?<filters>. Each view can be linked and opened in
 * another tab.
 */

/** Null in an address. It is a sign that nobody types, so that every text, “null” too, can stand for itself. */
export const nullText = '\u2400';

const inQuery = (value: unknown): string =>
  value === null ? nullText : typeof value === 'string' ? value : JSON.stringify(value);

const queryOf = (query: Row): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, inQuery(value)])).toString();
  return text === '' ? '' : `?${text}`;
};

/** The address of a screen in the environment on screen. @param path its segments, unencoded */
export const addressOf = (path: readonly string[], query: Row = {}): string =>
  `/console/${[acting.value?.environmentId ?? '-', ...path].map(encodeURIComponent).join('/')}${queryOf(query)}`;

/** The form of an operation, with fields filled in. */
export const formAddress = (name: string, input: Row = {}): string => addressOf(['do', name], input);

/** The list of a group, such as email.message. */
export const listAddress = (list: Pick<ConsoleOperation, 'name'>, filter: Row = {}): string =>
  addressOf([productOf(list), groupOf(list)], filter);

/** The page of one thing. @param get the operation that shows it */
export const thingAddress = (get: Pick<ConsoleOperation, 'name'>, id: string): string =>
  addressOf([productOf(get), groupOf(get), id]);

/** The input field of a `get` operation that names the thing: its only id. */
export const idFieldOf = ({ input }: ConsoleOperation): string | undefined =>
  Object.entries(input).find(
    ([name, field]) => field.type === 'text' && (field.required || /Id$|^id$/.test(name)),
  )?.[0];

/** The operation that shows the thing whose id a field holds: `broadcastId` leads to email.broadcast.get. */
export function showerOf(field: string, product: string | undefined): ConsoleOperation | undefined {
  const all = catalogue.value?.operations ?? [];
  const shows = (each: ConsoleOperation): boolean =>
    each.read === true && each.access === 'secret' && each.name.endsWith('.get') && idFieldOf(each) === field;
  return all.find((each) => shows(each) && productOf(each) === product) ?? all.find(shows);
}

/** The operation that shows what one without an id changes: `billing.get` for `billing.details.set`. */
export function settingsShowerOf({ name }: ConsoleOperation): ConsoleOperation | undefined {
  const parts = name.split('.').slice(0, -1);
  const getOf = (group: readonly string[]): ConsoleOperation | undefined => operationNamed([...group, 'get'].join('.'));
  return getOf(parts) ?? getOf(parts.slice(0, -1));
}

/** The `list` or `get` of a group; undefined if it has none. */
export const inGroup = (product: string, group: string, verb: string): ConsoleOperation | undefined =>
  operationNamed([product, group, verb].filter((part) => part !== '').join('.'));

const makingVerbs = ['create', 'add', 'upsert', 'invite', 'import', 'send', 'set'];

/**
 * The writes of a group that start something new: they make a thing, or take no id of an existing one. Those that
 * plainly make one come first.
 */
export function makersOf(product: string, group: string): ConsoleOperation[] {
  const shown = inGroup(product, group, 'get');
  const id = shown && idFieldOf(shown);
  const rank = ({ name }: ConsoleOperation): number => {
    const at = makingVerbs.indexOf(name.split('.').at(-1) ?? '');
    return at === -1 ? makingVerbs.length : at;
  };
  return (catalogue.value?.operations ?? [])
    .filter((each) => productOf(each) === product && groupOf(each) === group)
    .filter((each) => each.access === 'secret' && each.read !== true && !each.destructive)
    .filter(
      (each) =>
        rank(each) < makingVerbs.length - 2 ||
        !Object.keys(each.input).some((field) => field === id || /Id$|^id$/.test(field)),
    )
    .sort((a, b) => rank(a) - rank(b));
}

export interface Address {
  /** The segments behind the environment, decoded. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** Goes to another address. @param replace without an entry in the history */
  readonly go: (address: string, replace?: boolean) => void;
}

/** The address on screen. */
export function useAddress(): Address {
  const { path, query, route } = useLocation();
  const [, , , ...rest] = path.split('/');
  return { path: rest.filter((part) => part !== '').map(decode), query, go: route };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
