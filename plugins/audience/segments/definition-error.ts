import { nearest } from '#config/nearest.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';

/** What is wrong with a definition, and at which node of it: `all[1].not.value`. */
export class DefinitionFault extends Error {
  override name = 'DefinitionFault';

  constructor(
    readonly node: string,
    readonly problem: string,
  ) {
    super(`${node}: ${problem}`);
  }
}

/** The root has no path of its own. */
export const fault = (path: string, problem: string): DefinitionFault =>
  new DefinitionFault(path === '' ? 'definition' : path, problem);

export const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** “ (did you mean email?)”, where a known word is near. */
export function meant(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `; known are ${known.join(', ')}` : ` (did you mean ${near}?)`;
}

/** What a caller sent, in quotes and of a length to read. */
export const quoted = (word: string): string => `“${word.length > 60 ? `${word.slice(0, 60)}…` : word}”`;

/**
 * Runs something that reads a definition.
 * @throws invalid_definition naming the node at fault
 */
export function reading<T>(fail: ErrorMakers<'invalid_definition', SvcError>, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DefinitionFault)) throw error;
    const { node, problem } = error;
    throw fail.invalid_definition({ node, problem, details: { node } });
  }
}
