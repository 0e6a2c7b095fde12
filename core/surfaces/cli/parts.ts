import type { Parts } from '#core/kernel/operation-hints.js';
import { at, isRecord, listAt } from '#core/runtime/json.js';
import { callOperation, type Answer, type CallTarget } from './call.js';
import { inputFrom, type CliCatalogue, type CliOperation } from './command-catalogue.js';
import { commandPath } from '../names.js';
import { followUpCommand } from './example.js';
import type { OwnOptions } from './options.js';
import { oneLine } from './terminal/sanitize.js';

/** Where the work is, and where to query its parts. */
export interface Place {
  readonly target: CallTarget;
  readonly catalogue: CliCatalogue;
  readonly options: Pick<OwnOptions, 'profile' | 'baseUrl'>;
}

/** The text about parts that failed; `isFailure` if none succeeded. */
interface FailedParts {
  readonly text: string;
  readonly isFailure: boolean;
}

/**
 * The texts about the failed parts of ended work: how many, why one of them did, and the operation that lists them.
 * @param answer the last answer of the operation that shows the work
 * @returns one for each existing kind of parts
 */
export const failedParts = async (
  { progress }: CliOperation,
  { result }: Answer,
  place: Place,
): Promise<readonly FailedParts[]> => {
  const countAt = (path: string | undefined): unknown => path && at(result, ...path.split('.'));
  const total = countAt(progress?.total);
  const found = (progress?.parts ?? []).map(async (parts): Promise<FailedParts[]> => {
    const failed = countAt(parts.failed);
    if (typeof failed !== 'number' || failed === 0) return [];
    const number = typeof total === 'number' ? `${failed} of ${total}` : String(failed);
    return [
      {
        text: `${number} ${parts.text}${await detailsOf(parts, result, place)}.`,
        isFailure: countAt(parts.succeeded) === 0,
      },
    ];
  });
  return (await Promise.all(found)).flat();
};

type Fields = Readonly<Record<string, unknown>>;

/** Why a part failed, and the commands that show all. */
async function detailsOf(parts: Parts, result: Fields, place: Place): Promise<string> {
  const { listedBy, filter, explainedBy } = parts;
  const { catalogue, options } = place;
  const list = catalogue.operations.find(({ name }) => name === listedBy.operation);
  if (!list) return '';
  const input = { ...inputFrom(result, listedBy.input), ...filter };
  const reason = await reasonOf(parts, list, input, place);
  const explained =
    explainedBy === undefined ? '' : `, \`svc ${commandPath(explainedBy.operation).join(' ')}\` says why each did`;
  return `${reason === undefined ? '' : `, one because of “${oneLine(reason)}”`}: \`${followUpCommand(list, input, options)}\` lists them${explained}`;
}

/** Why the newest of the parts failed; undefined if the server does not state it. */
async function reasonOf(
  { explainedBy, reason }: Parts,
  list: CliOperation,
  input: Fields,
  { target }: Place,
): Promise<string | undefined> {
  if (reason === undefined) return undefined;
  const read = async (name: string, given: Fields): Promise<Fields> =>
    (await callOperation(target, name, given)).result;
  try {
    const [item] = listAt(await read(list.name, { ...input, limit: 1 }), list.list?.field ?? '').filter(isRecord);
    if (!item) return undefined;
    const source = explainedBy ? await read(explainedBy.operation, inputFrom(item, explainedBy.input)) : item;
    const found = reason
      .split('.')
      .reduce<unknown>((value, name) => at(Array.isArray(value) ? value[0] : value, name), source);
    return typeof found === 'string' && found !== '' ? found : undefined;
  } catch {
    // The outcome is known; a reason that cannot be read must not hide it.
    return undefined;
  }
}
