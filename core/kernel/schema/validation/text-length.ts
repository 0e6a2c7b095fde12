import { _, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';

/** Characters of a text. A surrogate pair is one (JSON Schema, 6.3.1 and 6.3.2). */
function charactersOf(text: string): number {
  let characters = 0;
  for (const _character of text) characters += 1;
  return characters;
}

/** A text has at most as many characters as UTF-16 units, and at least half as many. It is only counted in between. */
export const isLonger = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || charactersOf(text) > limit);
export const isShorter = (text: string, limit: number): boolean =>
  text.length < limit || (text.length < 2 * limit && charactersOf(text) < limit);

const definitionOf = (
  keyword: string,
  comparison: string,
  isWrong: (text: string, limit: number) => boolean,
): CodeKeywordDefinition => ({
  keyword,
  type: 'string',
  // A text that is too short is refused as such before its pattern is looked at.
  before: 'pattern',
  schemaType: 'number',
  error: {
    message: `must not have ${comparison} characters`,
    params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
  },
  code(context: KeywordCxt): void {
    const { gen, data, schemaCode } = context;
    context.fail(_`${gen.scopeValue('func', { ref: isWrong })}(${data}, ${schemaCode})`);
  },
});

/**
 * `maxLength` and `minLength` as Ajv checks them, in a time that does not depend on the text: Ajv counts all characters
 * of every text, which takes 14 ms for 8 MiB (measured).
 */
export const textLengths: readonly CodeKeywordDefinition[] = [
  definitionOf('maxLength', 'more', isLonger),
  definitionOf('minLength', 'fewer', isShorter),
];
