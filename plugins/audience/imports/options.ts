import { inputProblem } from '#core/kernel/schema/validation/validate.js';
import { boolean, object, oneOf, type ValueOf } from '#core/kernel/schema/schema.js';
import { consentClaims } from '../contacts/input.js';

export const onConflict = oneOf(
  ['update', 'skip'],
  'What to do with a row whose contact already exists: update the contact, or skip the row and its consents.',
);

/** The options of an import, stored with its rows. */
const ImportOptions = object({ onConflict, dryRun: boolean(), consents: consentClaims });
type ImportOptionsValue = ValueOf<typeof ImportOptions>;

const isOptions = (value: unknown): value is ImportOptionsValue => inputProblem(ImportOptions, value) === undefined;

/** Parses the `options` column of an import. */
export function parseOptions(json: string): ImportOptionsValue {
  const stored: unknown = JSON.parse(json);
  if (!isOptions(stored)) throw new Error('The stored options of an import are invalid.');
  return stored;
}
