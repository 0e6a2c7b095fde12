import { isRecord } from '#core/surfaces/record.js';
import { flagOf, kebab, type CliField, type CliFields } from './catalogue.js';
import { CliError } from './errors.js';
import { valueOf } from './values.js';

/** `--variables.name=Ada`: a part of an object. */
export interface Part {
  readonly path: readonly string[];
  readonly text: string;
}

const dotted = /^--([A-Za-z][\w-]*(?:\.[^=.\s]+)+)(?:=([\s\S]*))?$/;

/**
 * Takes the parts out of the words of a command, which are flags that no list can name beforehand.
 * @param isSwitch whether a flag stands alone; the word after any other one is its value, whatever it looks like
 * @throws CliError for a part without a value
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

const unknown = (path: readonly string[], fields: CliFields): CliError =>
  new CliError(
    `--${path.join('.')} is not known here.`,
    `See --help of this command${Object.keys(fields).length > 0 ? `; there are: ${Object.keys(fields).map(kebab).join(', ')}` : ''}.`,
  );

/** Puts one part into the input, making the objects on the way. @throws CliError when the path leads nowhere */
export function putPart(input: Record<string, unknown>, fields: CliFields, { path, text }: Part): void {
  const flag = path.join('.');
  // `--input.profile=x` is the field whose own flag the command line uses for something else.
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
    throw new CliError(`--${flag} names a part of what has none.`, `Write --${kebab(name)} <value> instead.`);
  const inner = isRecord(target[name]) ? target[name] : (target[name] = {});
  if (!isRecord(inner)) return;
  const known = field.fields
    ? findField(field.fields, next)
    : { name: next, field: field.items ?? { type: 'any' as const } };
  if (!known) throw unknown([flag], field.fields ?? {});
  put(inner, known.name, known.field, further, text, flag);
}

/** A field by its own name or as flags write it. */
function findField(fields: CliFields, word: string): { name: string; field: CliField } | undefined {
  const found = Object.entries(fields).find(([name]) => name === word || kebab(name) === word);
  return found && { name: found[0], field: found[1] };
}
