import { withoutMark } from '#core/runtime/json.js';
import { CliError } from '../errors.js';
import { type CliField } from '../command-catalogue.js';
import { kebab } from '../../names.js';

const invalid = (flag: string, problem: string): CliError => new CliError(`--${flag} ${problem}.`, undefined);

/** The parsed text; undefined if it is not JSON. */
function json(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(withoutMark(text)) };
  } catch {
    return undefined;
  }
}

/**
 * Converts the texts given to a field's flag into the field's value.
 * @throws CliError naming the flag when a text does not fit the field
 */
export function valueOf(field: CliField, texts: readonly string[], flag: string): unknown {
  const [first = ''] = texts;
  if (field.type === 'list') return listOf(field, texts, flag);
  if (texts.length > 1) throw invalid(flag, 'is given more than once');
  return single(field, first, flag);
}

function listOf(field: CliField, texts: readonly string[], flag: string): unknown {
  const [first = ''] = texts;
  if (field.nullable && texts.length === 1 && first === 'null') return null;
  const whole = texts.length === 1 && first.trimStart().startsWith('[') ? json(first) : undefined;
  if (whole) return whole.value;
  const lines = texts.length === 1 && field.items?.type !== 'text' ? jsonLines(first, flag) : undefined;
  if (lines) return lines;
  const items = texts.map((text) => single(field.items ?? { type: 'any' }, text, flag));
  return field.orOne && items.length === 1 ? items[0] : items;
}

/**
 * The values of a text with a JSON object on each line (NDJSON); undefined for other texts. Blank lines are skipped.
 * @throws CliError naming the line that is not JSON
 */
function jsonLines(text: string, flag: string): unknown[] | undefined {
  const lines = text.split(/\r?\n/).flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const [first] = lines;
  if (lines.length < 2 || !first?.line.trimStart().startsWith('{') || !json(first.line)) return undefined;
  return lines.map(({ line, number }) => {
    const found = json(line);
    if (!found) throw invalid(flag, `has no JSON object on line ${number}`);
    return found.value;
  });
}

function single(field: CliField, text: string, flag: string): unknown {
  if (field.nullable && text === 'null') return null;
  switch (field.type) {
    case 'text':
      return textOf(field, text, flag);
    case 'integer':
    case 'number':
      return numberOf(field, text, flag);
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw invalid(flag, `must be true or false, not “${text}”`);
    case 'list':
    case 'object':
    case 'map': {
      const found = json(text);
      const fits = field.type === 'list' ? Array.isArray(found?.value) : isObject(found?.value);
      if (!found || !fits)
        throw invalid(
          flag,
          `must be JSON, ${field.type === 'list' ? 'a list' : 'an object'}${dottedHint(field, flag)}`,
        );
      return found.value;
    }
    case 'any':
      // Text that parses as JSON is taken as JSON; write '"10"' for the text 10.
      return json(text)?.value ?? (text === 'null' ? null : text);
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const dottedHint = ({ type, fields }: CliField, flag: string): string =>
  type === 'list' ? '' : `, or set one by one: --${flag}.${kebab(Object.keys(fields ?? {})[0] ?? 'name')}=…`;

function textOf({ choices, nullable }: CliField, text: string, flag: string): string {
  if (choices && !choices.includes(text)) throw invalid(flag, `must be one of ${choices.join(', ')}, not “${text}”`);
  // Since null clears the field, '"null"' is the text “null”.
  return nullable && text === '"null"' ? 'null' : text;
}

function numberOf({ type }: CliField, text: string, flag: string): number {
  const found = Number(text);
  // A whole number beyond 2^53 would be rounded; one with an exponent is meant as a double.
  const isRounded = Math.abs(found) > Number.MAX_SAFE_INTEGER && !/e/i.test(text);
  const isNumber = type === 'integer' ? Number.isSafeInteger(found) : Number.isFinite(found) && !isRounded;
  const fits = text.trim() !== '' && isNumber;
  if (!fits) throw invalid(flag, `must be a ${type === 'integer' ? 'whole ' : ''}number, not “${text}”`);
  return found;
}
