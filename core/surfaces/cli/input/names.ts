import { nameKey } from '#core/kernel/schema/name-key.js';
import { isId } from '#core/runtime/id-form.js';
import { at, isRecord, listAt } from '#core/runtime/json.js';
import type { NamedItems } from '#core/kernel/operation-hints.js';
import { callOperation } from '../call.js';
import { commandPath, finderOf, namesOf, type CliCatalogue, type CliFields, type CliOperation } from '../catalogue.js';
import { ApiError, CliError, exit } from '../errors.js';
import { allPages } from '../pages.js';
import { targetFor, type Connection } from '../session/connection.js';

type Input = Record<string, unknown>;

/** An operation that finds something by its name. */
type Finder = CliOperation & { readonly namedItems: NamedItems };

/**
 * The input with ids in place of names: `example.com` as domainId becomes the id of that domain, `ada@example.org` as contactId that of the
 * contact with this address. An operation that takes the name itself is called with it.
 * @throws CliError when nothing has the name
 */
export async function withIds(
  operation: CliOperation,
  input: Input,
  catalogue: CliCatalogue,
  connection: Connection,
): Promise<Input> {
  const found = await Promise.all(
    Object.entries(input).map(async ([field, value]): Promise<[string, unknown]> => {
      const finder = operation.input[field]?.format === 'uuid' ? finderOf(field, catalogue) : undefined;
      if (!finder?.namedItems || typeof value !== 'string' || isId(value)) return [field, value];
      const known = { ...finder, namedItems: finder.namedItems };
      if (finder.name === operation.name && known.namedItems.found !== undefined)
        return [fieldFor(value, known, operation.input), value];
      return [field, await idOf(value, known, connection)];
    }),
  );
  return Object.fromEntries(found);
}

/** The field that takes such a name: an address, a number, or else anything. */
function fieldFor(name: string, { namedItems: { names } }: Finder, input: CliFields): string {
  const format = name.includes('@') ? 'email' : /^\+[\d\s().-]+$/.test(name) ? 'phone' : undefined;
  return names.find((field) => format !== undefined && input[field]?.format === format) ?? names.at(-1) ?? names[0];
}

async function idOf(name: string, finder: Finder, connection: Connection): Promise<unknown> {
  const { found } = finder.namedItems;
  const target = targetFor(connection, finder.access);
  const id = await (found === undefined ? searchList(name, finder, target) : read(name, finder, found, target));
  if (id !== undefined) return id;
  const [thing] = commandPath(finder.name).slice(-2);
  throw new CliError(
    `There is no ${thing} “${name}” in this environment.`,
    `Pass ${namesOf(finder.namedItems, 'the')} of one that \`svc ${listCommand(finder)}\` shows.`,
    exit.notFound,
  );
}

const listCommand = ({ name }: Finder): string => [...commandPath(name).slice(0, -1), 'list'].join(' ');

async function searchList(name: string, list: Finder, target: Parameters<typeof allPages>[1]): Promise<unknown> {
  const { result } = await allPages(list, target, {});
  const [field] = list.namedItems.names;
  const item = listAt(result, list.list?.field ?? '')
    .filter(isRecord)
    .find((each) => nameKey(String(each[field])) === nameKey(name));
  return item?.['id'];
}

async function read(
  name: string,
  finder: Finder,
  found: string,
  target: Parameters<typeof callOperation>[0],
): Promise<unknown> {
  try {
    const { result } = await callOperation(target, finder.name, { [fieldFor(name, finder, finder.input)]: name });
    return at(result, ...found.split('.'));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
