import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import { filledText, url, uuid } from '#core/kernel/schema/schema.js';

const maxNameLength = 120;

export const organizationId = uuid('The organization.');
export const organizationName = filledText('Its name.', maxNameLength);
export const logoUrl = url('The URL of its logo, http or https.', { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' });

/**
 * A name in NFC. @throws invalid_input if this makes it too long, if it is not well-formed Unicode, or if it contains a
 * web address
 */
export function normalizeName(name: string): string {
  const invalid = (problem: string): Error => invalidField('name', problem);
  if (/\p{Surrogate}/u.test(name)) throw invalid('must be well-formed Unicode');
  const normal = name.normalize('NFC').trim();
  if (Array.from(normal).length > maxNameLength) throw invalid(`must be at most ${maxNameLength} characters long`);
  return plainName('name', normal);
}
