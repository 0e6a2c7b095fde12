import { isRecord } from '#core/runtime/json.js';
import { type CliField, type CliFields } from '../command-catalogue.js';
import { flagOf, kebab } from '../../names.js';
import { CliError } from '../errors.js';
import { valueOf } from './values.js';

/** One entry of an object: `--variables.name=Ada`. */
export interface Part {
  readonly path: readonly string[];
  readonly text: string;
}

const dotted = /^--([A-Za-z][\w-]*(?:\.[^=.\s]+)+)(?:=([\s\S]*))?$/;

/**
 * Separates flags with dots from the other arguments: Commander cannot know their names beforehand.
 * @param isSwitch whether a flag takes no value; the argument after any other flag is its value, regardless of its form
 * @throws CliError for a flag without a value
 */
export function splitParts(
  words: readonly string[],
  isSwitch: (flag: string) => boolean,
): { rest: string[]; parts: Part[] } {
  const rest: string[] = [];
  const parts: Part[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const found = dotted.exec(word);
    if (found) {
      const text = found[2] ?? words[(index += 1)];
      if (text === undefined) throw new CliError(`${word} has no value.`, `Write ${word}=<value>.`);
      parts.push({ path: (found[1] ?? '').split('.'), text });
      continue;
    }
    rest.push(word);
    if (/^--[^=]+$/.test(word) && !isSwitch(word.slice(2)) && index + 1 < words.length)
      rest.push(words[(index += 1)] ?? '');
  }
  return { rest, parts };
}

const unknown = (path: readonly string[], fields: CliFields): CliError => {
  const known = Object.keys(fields).map(kebab);
  return new CliError(
    `Unknown flag --${path.join('.')}${known.length > 0 ? `; known here: ${known.join(', ')}` : ''}.`,
    undefined,
  );
};

/** Sets one entry in the input, creating the objects on its path. @throws CliError for an unknown path */
export function putPart(input: Record<string, unknown>, fields: CliFields, { path, text }: Part): void {
  const flag = path.join('.');
  // `--input.profile=x` sets a field whose flag name the command line uses itself.
  const [first = '', ...rest] = path[0] === 'input' && !findField(fields, 'input') ? path.slice(1) : path;
  const at = findField(fields, first);
  if (!at || (rest.length === 0 && flagOf(at.name) !== undefined)) throw unknown(path, fields);
  put(input, at.name, at.field, rest, text, flag);
}

function put(
  target: Record<string, unknown>,
  name: string,
  field: CliField,
  rest: readonly string[],
  text: string,
  flag: string,
): void {
  if (name === '__proto__') throw unknown([flag], {});
  const [next, ...further] = rest;
  if (next === undefined) {
    target[name] = valueOf(field, [text], flag);
    return;
  }
  if (!['object', 'map', 'any'].includes(field.type))
    throw new CliError(`--${flag}: ${name} is not an object.`, `Use --${kebab(name)} <value>.`);
  const inner = isRecord(target[name]) ? target[name] : (target[name] = {});
  if (!isRecord(inner)) return;
  const known = field.fields
    ? findField(field.fields, next)
    : { name: next, field: field.items ?? { type: 'any' as const } };
  if (!known) throw unknown([flag], field.fields ?? {});
  put(inner, known.name, known.field, further, text, flag);
}

/** Finds a field by its name or its flag's name. */
function findField(fields: CliFields, word: string): { name: string; field: CliField } | undefined {
  const found = Object.entries(fields).find(([name]) => name === word || kebab(name) === word);
  return found && { name: found[0], field: found[1] };
}
