import { inputProblem } from '#core/kernel/schema/validate.js';
import { boolean, object, oneOf, type ValueOf } from '#core/kernel/schema/schema.js';
import { consentClaims } from '../contacts/input.js';

/** What a row does that meets a contact who is there already. */
export const onConflict = oneOf(
  ['update', 'skip'],
  'What a row does whose contact is there already: update it, or leave it and its consents alone.',
);

/** What an import is to do with its rows, as it is kept beside them. */
const ImportOptions = object({ onConflict, dryRun: boolean(), consents: consentClaims });
export type ImportOptionsValue = ValueOf<typeof ImportOptions>;

const isOptions = (value: unknown): value is ImportOptionsValue => inputProblem(ImportOptions, value) === undefined;

/** An import's options from their column. */
export function optionsOf(json: string): ImportOptionsValue {
  const stored: unknown = JSON.parse(json);
  if (!isOptions(stored)) throw new Error('An import’s options are not in the form in which they are stored.');
  return stored;
}
