import { randomBytes } from 'node:crypto';

/*
 * Programs that read HTML do not understand Liquid: `{% if a < b %}` is a broken tag to them, and `{{ "x" }}` in an
 * attribute ends it. Each tag of a template is therefore replaced by a word while its HTML is processed, and restored
 * afterwards.
 */

/** Raw text and comments as a whole, outputs, and other tags. */
const liquid = /\{%-?\s*(raw|comment)\s*-?%\}[\s\S]*?\{%-?\s*end\1\s*-?%\}|\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

export interface Marked {
  readonly text: string;
  /** The prefix of all words. */
  readonly prefix: string;
  /** The tags, in their order. */
  readonly tags: readonly string[];
  /** The pieces of a text with words: the text between them, and the tags. */
  piecesOf(text: string): readonly LiquidPiece[];
  /** Puts the tags back. */
  restore(text: string): string;
}

interface LiquidPiece {
  readonly text: string;
  /** The tag; null for text between tags. */
  readonly tag: string | null;
}

/**
 * The text with a word in place of each Liquid tag. The words are lower-case letters and digits, and occur nowhere in
 * the text.
 */
export function markLiquid(text: string): Marked {
  const tags: string[] = [];
  const prefix = `lqd${randomBytes(8).toString('hex')}n`;
  return {
    text: text.replace(liquid, (tag) => `${prefix}${tags.push(tag) - 1}z`),
    prefix,
    tags,
    piecesOf: (marked) =>
      marked
        .split(new RegExp(`${prefix}(\\d+)z`, 'i'))
        .map((piece, index) => ({ text: piece, tag: index % 2 === 1 ? (tags[Number(piece)] ?? '') : null })),
    // A tag among attributes is returned as an attribute: `lqd…z=""`.
    restore: (changed) =>
      changed.replace(new RegExp(`${prefix}(\\d+)z(?:="")?`, 'gi'), (_, n) => tags[Number(n)] ?? ''),
  };
}

/** Tags that choose or repeat the text after them, with the tags that end them. */
const blocks = /^\{%-?\s*(end)?(?:if|unless|case|for|tablerow|capture|ifchanged)\b/;
/** Tags that write nothing themselves. */
const silent =
  /^\{%\s*(?:(?:end)?(?:if|unless|case|for|tablerow|capture|ifchanged)|elsif|else|when|break|continue|assign|comment)\b[\s\S]*[^-]%\}$/;

/** By how much the depth of conditions and loops changes at a tag. */
export function depthChange(tag: string): number {
  const found = blocks.exec(tag);
  return found ? (found[1] === undefined ? 1 : -1) : 0;
}

/** Whether a tag writes nothing, and keeps the white space around it. */
export const isSilent = (tag: string): boolean => silent.test(tag);

/** Whether a tag may write HTML elements, which are unknown in advance. */
export const mayWriteElements = (tag: string): boolean =>
  (/\|\s*raw\b/.test(tag) && !/\|\s*escape\b/.test(tag)) || /<\w/.test(tag);
