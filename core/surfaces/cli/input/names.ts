import { nameKey } from '#core/kernel/schema/name-key.js';
import { isId } from '#core/runtime/id-form.js';
import { at, isRecord, listAt } from '#core/runtime/json.js';
import { callOperation, type CallTarget } from '../call.js';
import { finderOf, namesOf, type CliCatalogue, type CliOperation, type Finder } from '../command-catalogue.js';
import { commandPath } from '../../names.js';
import { ApiError, CliError, exit } from '../errors.js';
import { allPages } from '../pages.js';
import { targetFor, type Connection } from '../session/connection.js';

type Input = Record<string, unknown>;

/**
 * The input with ids in place of names: `example.com` as domainId becomes the id of that domain, `ada@example.org` as
 * contactId becomes the id of the contact with this address. An operation that accepts the name itself is called with
 * it.
 * @throws CliError if nothing has the name
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
      if (!finder || typeof value !== 'string' || isId(value)) return [field, value];
      if (finder.name === operation.name) return [fieldFor(value, finder), value];
      return [field, await idOf(value, finder, connection)];
    }),
  );
  return Object.fromEntries(found);
}

/** The field that takes such a name: an address, a number, or else anything. */
function fieldFor(name: string, { namedItems: { names }, input }: Finder): string {
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

async function searchList(name: string, list: Finder, target: CallTarget): Promise<unknown> {
  const { result } = await allPages(list, target, {});
  const [field] = list.namedItems.names;
  const item = listAt(result, list.list?.field ?? '')
    .filter(isRecord)
    .find((each) => nameKey(String(each[field])) === nameKey(name));
  return item?.['id'];
}

async function read(name: string, finder: Finder, found: string, target: CallTarget): Promise<unknown> {
  try {
    const { result } = await callOperation(target, finder.name, { [fieldFor(name, finder)]: name });
    return at(result, ...found.split('.'));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
