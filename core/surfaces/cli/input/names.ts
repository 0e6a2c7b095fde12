import { nameKey } from '#core/kernel/schema/name-key.js';
import { isId } from '#core/runtime/id-form.js';
import { isRecord, listAt } from '#core/runtime/json.js';
import type { CallTarget } from '../call.js';
import { commandPath, kebab, namesOf, type CliCatalogue, type CliOperation } from '../catalogue.js';
import { CliError, exit } from '../errors.js';
import { allPages } from '../pages.js';

type Input = Record<string, unknown>;

/**
 * The input with ids in place of names: `example.com` as domainId becomes the id of that domain.
 * @throws CliError when nothing has the name
 */
export async function withIds(
  operation: CliOperation,
  input: Input,
  catalogue: CliCatalogue,
  target: CallTarget,
): Promise<Input> {
  const found = await Promise.all(
    Object.entries(input).map(async ([field, value]): Promise<[string, unknown]> => {
      const list = operation.input[field]?.format === 'uuid' ? namesOf(field, catalogue) : undefined;
      const isName = list && typeof value === 'string' && !isId(value);
      return [field, isName ? await idOf(value, list, target) : value];
    }),
  );
  return Object.fromEntries(found);
}

async function idOf(name: string, list: CliOperation, target: CallTarget): Promise<unknown> {
  const { result } = await allPages(list, target, {});
  const field = list.namedItems?.name ?? '';
  const item = listAt(result, list.list?.field ?? '')
    .filter(isRecord)
    .find((each) => nameKey(String(each[field])) === nameKey(name));
  if (item) return item['id'];
  const [thing] = commandPath(list.name).slice(-2);
  throw new CliError(
    `There is no ${thing} “${name}” in this environment.`,
    `Pass the id or the ${kebab(field)} of one that \`svc ${commandPath(list.name).join(' ')}\` shows.`,
    exit.notFound,
  );
}
