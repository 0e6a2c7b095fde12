import { nearest } from '#config/nearest.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';

/** What is wrong with a definition, and at which node: `all[1].not.value`. */
export class DefinitionError extends Error {
  override name = 'DefinitionError';

  constructor(
    readonly node: string,
    readonly problem: string,
  ) {
    super(`${node}: ${problem}`);
  }
}

/** @param path of the node; an empty text for the root */
export const definitionError = (path: string, problem: string): DefinitionError =>
  new DefinitionError(path === '' ? 'definition' : path, problem);

export const childPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** “ (did you mean email?)” if a known word is similar; otherwise the list of known words. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `; supported are ${known.join(', ')}` : ` (did you mean ${near}?)`;
}

/** A word of the request in quotes, shortened. */
export const quoted = (word: string): string => `“${word.length > 60 ? `${word.slice(0, 60)}…` : word}”`;

/**
 * Runs code that parses a definition.
 * @throws invalid_definition instead of DefinitionError
 */
export function refuseInvalid<T>(fail: ErrorMakers<'invalid_definition', SvcError>, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const { node, problem } = error;
    throw fail.invalid_definition({ node, problem, details: { node } });
  }
}
