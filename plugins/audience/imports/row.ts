import { readTyped } from '#core/kernel/schema/validation/read-typed.js';
import { inputProblem } from '#core/kernel/schema/validation/validate.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { named, object, type ValueOf } from '#core/kernel/schema/schema.js';
import { pastDate } from '#core/kernel/schema/past-date.js';
import { contactFields, requireIdentifier } from '../contacts/input.js';

/** One row of an import: the input of audience.contact.upsert. */
export const ContactInput = named('ContactInput', object(contactFields));
export type ContactInputValue = ValueOf<typeof ContactInput>;

/** A row as it is stored: the input, or a text that states why it cannot be read. */
export type RawRow = Readonly<Record<string, unknown>> | string;

/** A row that was validated separately, before the database is queried for it. */
export type CheckedRow =
  | { row: number; contact: ContactInputValue }
  | { row: number; error: SvcError }
  /** Its person was erased while it waited. */
  | { row: number; isErased: true };

/** What remains of a row whose person was erased while it waited (screen.ts). */
export const erasedRow = 'is erased';

const isContact = (value: unknown, problems: SvcError[]): value is ContactInputValue => {
  const problem = inputProblem(ContactInput, value);
  if (problem) problems.push(problem);
  return problem === undefined;
};

/**
 * Validates one row as audience.contact.upsert would.
 * @param given the row, or why it cannot be read
 * @param now the time of the import: no consent was given after it
 */
export function checkRow(row: number, given: unknown, now: Date): CheckedRow {
  if (given === erasedRow) return { row, isErased: true };
  if (typeof given === 'string') return { row, error: invalidField('row', given) };
  const problems: SvcError[] = [];
  readTyped(ContactInput, given);
  if (!isContact(given, problems)) return { row, error: problems[0] ?? unreadable() };
  try {
    requireIdentifier(given);
    given.consents?.forEach((claim, index) => pastDate(claim.givenAt, `consents[${index}].givenAt`, now));
    return { row, contact: given };
  } catch (error) {
    if (error instanceof SvcError) return { row, error };
    throw error;
  }
}

const unreadable = (): SvcError => invalidField('row', 'is invalid');
