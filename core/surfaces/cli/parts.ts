import { at } from '#core/surfaces/json.js';
import type { Answer } from './call.js';
import { commandPath, inputFrom, type CliCatalogue, type CliOperation } from './catalogue.js';
import { followUpCommand } from './example.js';
import type { OwnOptions } from './options.js';

/**
 * What to say of the parts of ended work that failed, and where they are listed.
 * @param answer the last answer of the operation that shows the work
 * @returns undefined if none failed; `isFailure` if some failed and none succeeded
 */
export function failedParts(
  { progress }: CliOperation,
  { result }: Answer,
  { operations }: CliCatalogue,
  options: Pick<OwnOptions, 'profile' | 'baseUrl'>,
): { text: string; isFailure: boolean } | undefined {
  const countAt = (path: string | undefined): unknown => path && at(result, ...path.split('.'));
  const failed = countAt(progress?.parts?.failed);
  if (!progress?.parts || typeof failed !== 'number' || failed === 0) return undefined;
  const { text, succeeded, listedBy, filter, explainedBy } = progress.parts;
  const total = countAt(progress.total);
  const list = operations.find(({ name }) => name === listedBy.operation);
  const command = list && followUpCommand(list, { ...inputFrom(result, listedBy.input), ...filter }, options);
  const listed = command === undefined ? [] : [`\`${command}\` lists them`];
  const explained =
    explainedBy === undefined ? [] : [`\`svc ${commandPath(explainedBy).join(' ')}\` says why each did`];
  const number = typeof total === 'number' ? `${failed} of ${total}` : String(failed);
  const where = [...listed, ...explained].join(', ');
  return {
    text: where === '' ? `${number} ${text}.` : `${number} ${text}: ${where}.`,
    isFailure: countAt(succeeded) === 0,
  };
}
