import { at, isRecord } from '#core/runtime/json.js';
import { callOperation, type Answer, type CallTarget } from './call.js';
import { type CliCatalogue, type CliOperation } from './command-catalogue.js';
import { kebab } from '../names.js';
import { painter } from './terminal/colours.js';
import { environmentOfKey } from './session/connection.js';
import { oneLine } from './terminal/sanitize.js';

/* The target of a destructive command, for its prompt: the thing by its name, and the environment. */

type Input = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;

/** Fields that tell people which thing it is. */
const tellingFields = ['name', 'subject', 'email', 'phone', 'to', 'url', 'prefix', 'key', 'reason'];
/** Required fields that do not identify the thing. */
const explaining: ReadonlySet<string> = new Set(['accessToken', 'confirm', 'reason']);
/** Pages of a list that are searched for the thing. */
const maxPages = 5;

/**
 * Describes what the operation changes, one line each. It queries the server as far as the key permits.
 * @returns lines such as `key Reader, svc_test_AbCd`
 */
export async function describeTarget(
  operation: CliOperation,
  { operations }: CliCatalogue,
  target: CallTarget,
  input: Input,
): Promise<string[]> {
  const read = (name: string, given: object): Promise<Answer | undefined> =>
    callOperation(target, name, given).catch(() => undefined);
  const [thing, current] = await Promise.all([
    findThing(operation, operations, input, read),
    (target.key ?? target.accessTokenOf) === undefined ? undefined : read('developers.key.current', {}),
  ]);
  const lines: [string, string][] = [...(thing ? [thing] : []), ['environment', environmentText(target, current)]];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

function environmentText({ baseUrl, key }: CallTarget, current: Answer | undefined): string {
  const { bold, red } = painter(process.stderr);
  const kind = key === undefined ? at(current?.result, 'environment', 'kind') : environmentOfKey(key);
  const [account, project] = [at(current?.result, 'account', 'name'), at(current?.result, 'project', 'name')];
  return [
    ...(typeof kind === 'string' ? [kind === 'live' ? bold(red(kind)) : kind] : []),
    ...(typeof account === 'string'
      ? [`of ${oneLine(account)}${typeof project === 'string' ? ` / ${oneLine(project)}` : ''}`]
      : []),
    `at ${baseUrl}`,
  ].join(' ');
}

type Read = (name: string, given: object) => Promise<Answer | undefined>;

/**
 * Finds the thing with the nearest `get` that takes the same id, otherwise in the list next to the operation, otherwise
 * returns its id or its name.
 */
async function findThing(
  { name, input: fields }: CliOperation,
  operations: readonly CliOperation[],
  input: Input,
  read: Read,
): Promise<[string, string] | undefined> {
  const words = name.split('.').slice(0, -1);
  for (let depth = words.length; depth >= 1; depth -= 1) {
    const group = words.slice(0, depth).join('.');
    const get = operations.find((each) => each.name === `${group}.get`);
    const needed = Object.entries(get?.input ?? {})
      .filter(([, { required }]) => required)
      .map(([field]) => field);
    if (!get || !needed.every((field) => field in input && field in fields)) continue;
    const answer = await read(get.name, Object.fromEntries(needed.map((field) => [field, input[field]])));
    const text = tell(Object.values(answer?.result ?? {}).find(isRecord));
    if (text !== '') return [words[depth - 1] ?? '', text];
    break;
  }
  const isId = (field: string): boolean => field.endsWith('Id');
  const isName = (field: string): boolean => fields[field]?.required === true && !explaining.has(field);
  const named = Object.keys(input);
  const field = named.find(isId) ?? named.find(isName);
  const id = field === undefined ? undefined : input[field];
  if (field === undefined || typeof id !== 'string') return undefined;
  const list = isId(field) ? operations.find((each) => each.name === `${words.join('.')}.list`) : undefined;
  const found = list?.list && (await search(list.name, list.list.field, id, read));
  return [words.at(-1) ?? kebab(field), tell(found) || oneLine(id)];
}

/** Searches the newest items of a list for the one with an id. */
async function search(name: string, field: string, id: string, read: Read): Promise<Fields | undefined> {
  for (let page = 1, before: unknown = undefined; page <= maxPages; page += 1) {
    const answer = await read(name, { limit: 100, ...(before === undefined ? {} : { before }) });
    const items: unknown = answer?.result[field];
    const found: unknown = Array.isArray(items)
      ? items.find((item: unknown) => isRecord(item) && item['id'] === id)
      : undefined;
    if (isRecord(found)) return found;
    before = answer?.result['nextBefore'];
    if (typeof before !== 'string') return undefined;
  }
  return undefined;
}

/** The two most telling texts of a thing. */
function tell(thing: Fields | undefined): string {
  return tellingFields
    .flatMap((field) => {
      const value = thing?.[field];
      const texts: unknown[] = Array.isArray(value) ? value : [value];
      return texts.filter((each) => typeof each === 'string' && each !== '').map(String);
    })
    .slice(0, 2)
    .map(oneLine)
    .join(', ');
}
