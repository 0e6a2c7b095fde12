import { randomBytes } from 'node:crypto';

/*
 * Programs that read HTML know nothing of Liquid: `{% if a < b %}` is a broken tag to them, and `{{ "x" }}` in an attribute ends it. So each
 * tag of a template is replaced by a word while its HTML is worked on, and put back afterwards.
 */

/** Raw text and comments whole, outputs, and other tags. */
const liquid = /\{%-?\s*(raw|comment)\s*-?%\}[\s\S]*?\{%-?\s*end\1\s*-?%\}|\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

export interface Marked {
  readonly text: string;
  /** Puts the tags back. */
  restore(text: string): string;
}

/** The text with a word in place of each Liquid tag. The words are lower-case letters and digits, and occur nowhere in the text. */
export function markLiquid(text: string): Marked {
  const found: string[] = [];
  const prefix = `lqd${randomBytes(8).toString('hex')}n`;
  return {
    text: text.replace(liquid, (tag) => `${prefix}${found.push(tag) - 1}z`),
    // A tag among attributes comes back as an attribute: `lqd…z=""`.
    restore: (changed) =>
      changed.replace(new RegExp(`${prefix}(\\d+)z(?:="")?`, 'gi'), (_, n) => found[Number(n)] ?? ''),
  };
}
