import { isSvcError, type Row } from '#core/surfaces/console/kit/index.js';
import { stepAt } from './steps.js';

/** The problems of an automation by the path of the field that causes each, such as steps[1].template. */
export type Marks = ReadonlyMap<string, string>;

interface Problem {
  readonly message: string;
  readonly fields?: readonly string[];
}

/** The place of the step that a field belongs to: `steps[1].then[0]` of `steps[1].then[0].if.field`. */
export const placeOf = (field: string): string =>
  /^steps\[\d+\](?:\.(?:then|else)\[\d+\])*/.exec(field)?.[0] ?? 'trigger';

/**
 * The problems at the fields of what is on screen: those that the server found in the saved automation, for steps that
 * are still as they were, and why the last save was refused.
 */
export function marksOf(
  problems: readonly Problem[],
  saved: readonly Row[],
  shown: readonly Row[],
  refusal: unknown,
): Marks {
  const isUnchanged = (place: string): boolean =>
    place === 'trigger' || JSON.stringify(stepAt(saved, place)) === JSON.stringify(stepAt(shown, place));
  const found = problems.flatMap(({ message, fields = [] }) =>
    fields.filter((field) => isUnchanged(placeOf(field))).map((field) => [field, message] as const),
  );
  const field: unknown = isSvcError(refusal) ? refusal.details['field'] : undefined;
  const refused = isSvcError(refusal) && typeof field === 'string' ? [[field, refusal.message] as const] : [];
  return new Map([...found, ...refused]);
}

/** The first problem of a step, without those of the steps inside it. */
export const markAt = (marks: Marks, place: string): string | undefined =>
  [...marks].find(([field]) => placeOf(field) === place)?.[1];

/** The problem of a field of a step or of the trigger. */
export const markOf =
  (marks: Marks, place: string) =>
  (field: string): string | undefined =>
    marks.get(place === 'trigger' ? field : `${place}.${field}`);
