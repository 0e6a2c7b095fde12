import { randomBytes } from 'node:crypto';
import { plainLatin } from '#core/kernel/schema/plain-latin.js';
import { text } from '#core/kernel/schema/schema.js';

const maxLength = 64;

export const slugInput = text('Its name in addresses, unique in the environment: 2 to 64 of a-z, 0-9 and hyphens.', {
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
    .replace(/^-+|-+$/g, '');
  return slug.length < 2 ? 'organization' : slug;
}

/** The same slug with a distinct ending, for a name whose slug another organization already has. */
export function distinctSlug(slug: string): string {
  const ending = `-${randomBytes(3).toString('hex')}`;
  return `${slug.slice(0, maxLength - ending.length)}${ending}`;
}
