import { addressOf, formAddress, idFieldOf, inGroup, thingAddress } from '../kit/address.js';
import { outcomesOf, type Outcome } from '../kit/attempt.js';
import { readOnce } from '../kit/read.js';
import type { Found } from '../kit/screen.js';
import { matchesWords } from '../kit/search.js';
import { catalogue, refusalFor } from '../kit/state.js';
import { actionTitle, groupOf, plainNumber, productOf, thingTitle } from '../kit/words.js';
import type { ConsoleOperation } from '../shared.js';
import { commands } from './commands.js';
import { entriesOf, iconOf, openProducts, partsOf, screensOf, tasksOf } from './navigation.js';

/* What the palette finds: people and things on the server; screens, actions and commands here. */

/** Shorter texts are not searched on the server. */
export const shortest = 2;
const mostOfEach = 6;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What the server knows under a text. What the role may not read is not asked for. */
export async function searchServer(text: string): Promise<Outcome<readonly Found[]>[]> {
  if (uuid.test(text)) return byId(text.toLowerCase());
  const sources = (await partsOf((product) => product.search)).flat();
  const allowed = sources.filter(({ needs }) => refusalFor(needs) === undefined);
  return outcomesOf(
    allowed.map(
      ({ find }) =>
        () =>
          find(text),
    ),
  );
}

/** Finds the thing with a pasted id, by asking every operation that shows one. */
function byId(id: string): Promise<Outcome<readonly Found[]>[]> {
  const shows = (catalogue.value?.operations ?? []).filter(
    (each) =>
      each.name.endsWith('.get') &&
      each.access === 'secret' &&
      /Id$/.test(idFieldOf(each) ?? '') &&
      refusalFor(each) === undefined,
  );
  return outcomesOf(
    shows.map((get) => async (): Promise<readonly Found[]> => {
      await readOnce(get.name, { [idFieldOf(get) ?? '']: id });
      const title = thingTitle(groupOf(get));
      return [{ group: 'By id', icon: iconOf(productOf(get)), title, href: thingAddress(get, id) }];
    }),
  );
}

const people = 'People';
/** The headings that come before and after the things that were found by name. */
const ranks: Readonly<Record<string, number>> = { 'By id': -2, [people]: -1, Messages: 1, Texts: 1 };

/** One list: the person with exactly this address or number, other people, things, messages, then what is here. */
export function ordered(text: string, found: readonly Found[]): Found[] {
  const exact = new Set([text.trim().toLowerCase(), plainNumber(text)]);
  const persons = new Map<string, Found>();
  const others: Found[] = [];
  for (const each of found) {
    const { person } = each;
    const known = person === undefined ? undefined : persons.get(person);
    if (person === undefined || person === '') others.push(each);
    // The page of the first shows what other products know too.
    else
      persons.set(
        person,
        known ? { ...known, after: `${known.after ?? ''} and ${each.after?.toLowerCase() ?? ''}` } : each,
      );
  }
  const isExact = ({ person = '' }: Found): boolean => exact.has(person);
  const rank = ({ group }: Found): number => ranks[group] ?? 0;
  return [
    ...[...persons.values()].filter(isExact),
    ...[...[...persons.values()].filter((each) => !isExact(each)), ...others].sort((a, b) => rank(a) - rank(b)),
  ];
}

/** Whether the text names one person. */
export const namesPerson = (text: string): boolean =>
  /^\S+@\S+\.\S+$/.test(text.trim()) || /^\+\d{7,15}$/.test(plainNumber(text));

/** Commands, screens and actions whose words begin with those of the text. @param path of the screen */
export function foundHere(text: string, path: readonly string[]): Found[] {
  const products = openProducts();
  const screens = products.flatMap(({ name, title }) =>
    entriesOf(name).map((entry): Found => ({
      group: 'Screens',
      icon: iconOf(name),
      title: entry.title,
      beside: title,
      href: entry.href,
    })),
  );
  const doable = commands(path);
  if (text.trim() === '') return [...screens.slice(0, mostOfEach * 2), ...doable.map(({ found }) => found)];
  const tasks = products.flatMap(({ name, title }) =>
    tasksOf(name)
      .filter(({ needs }) => refusalFor(needs) === undefined)
      .map((task) => ({
        words: `${task.title} new ${title} ${task.needs}`,
        found: {
          group: 'Actions',
          icon: 'plus' as const,
          title: task.title,
          beside: title,
          href: addressOf([name, ...task.path.split('/')], { open: task.opens }),
        },
      })),
  );
  const fitting = (all: readonly { readonly words: string; readonly found: Found }[], most: number): Found[] =>
    all
      .filter(({ words }) => matchesWords(text, words))
      .map(({ found }) => found)
      .slice(0, most);
  return [
    ...fitting(tasks, mostOfEach),
    ...fitting(
      screens.map((found) => ({ words: `${found.title} ${found.beside ?? ''}`, found })),
      mostOfEach,
    ),
    ...fitting(doable, mostOfEach),
    ...fitting(operationsFor(text), mostOfEach * 2),
  ];
}

/** The operations that no task stands for. A text such as `email.send` asks for an operation's own form. */
function operationsFor(text: string): { words: string; found: Found }[] {
  const isName = /^[a-z]+\.[a-zA-Z.]*$/.test(text.trim());
  return (catalogue.value?.operations ?? [])
    .filter((each) => each.access === 'secret' && refusalFor(each) === undefined)
    .filter((each) => isName || !tasksOf(productOf(each)).some(({ needs }) => needs === each.name))
    .map((operation) => {
      const screen = isName ? undefined : screenFor(operation);
      return {
        words: `${actionTitle(operation)} ${operation.name} ${operation.summary}`,
        found: {
          group: 'All operations',
          icon: operation.read ? ('list' as const) : ('play' as const),
          title: actionTitle(operation),
          beside: screen ? `in ${screen.title}` : '',
          after: operation.name,
          href: screen?.href ?? formAddress(operation.name),
        },
      };
    });
}

/** The screen where a thing is chosen first, if it is made by hand: a form would ask for an id. */
function screenFor(operation: ConsoleOperation): { title: string; href: string } | undefined {
  const [product, group] = [productOf(operation), groupOf(operation)];
  const root = group.split('.')[0] ?? '';
  const own = screensOf(product).find(({ path, title }) => title !== undefined && (path === group || path === root));
  if (own?.title === undefined) return undefined;
  const get = inGroup(product, own.path, 'get');
  const id = get && idFieldOf(get);
  const isAbout = /\.(?:list|get)$/.test(operation.name)
    ? own.path === group
    : id !== undefined && operation.input[id]?.required === true && !/\.(?:create|save)$/.test(operation.name);
  return isAbout ? { title: own.title, href: addressOf([product, own.path]) } : undefined;
}
