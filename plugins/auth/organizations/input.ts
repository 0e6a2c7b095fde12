import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import { filledText, url, uuid, text } from '#core/kernel/schema/schema.js';
import { randomBytes } from 'node:crypto';
import { plainLatin } from '#core/kernel/schema/plain-latin.js';

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

const maxLength = 64;

export const slugInput = text('Its name in URLs, unique in the environment: 2 to 64 of a-z, 0-9 and hyphens.', {
  pattern: '^[a-z0-9-]{2,64}$',
});

/**
 * A slug made from a name: `Crème & Sons` becomes `creme-sons`. A name without Latin letters or digits gives
 * `organization`.
 */
export function slugOf(name: string): string {
  const slug = plainLatin(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-|-$/g, '');
  return slug.length < 2 ? 'organization' : slug;
}

/** The same slug with a distinct ending, for a name whose slug another organization already has. */
export function distinctSlug(slug: string): string {
  const ending = `-${randomBytes(3).toString('hex')}`;
  return `${slug.slice(0, maxLength - ending.length)}${ending}`;
}
