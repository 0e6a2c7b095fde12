import { isRecord } from '#core/runtime/json.js';
import { formats } from '../formats.js';
import { typedAddress, typedDigits, withoutSpaceAround } from '../typed.js';
import { withoutLeapSecond } from '../leap-second.js';
import { isSchema, propertiesOf, type JsonSchema } from '../schema.js';

/** Returns the value with its texts read. Objects are changed in place. */
type Reader = (value: unknown) => unknown;

/** How a text of each format is read. */
const readers: Readonly<Record<string, (text: string) => string>> = {
  uuid: (text) => (formats['uuid']?.(text) === true ? text.toLowerCase() : text),
  email: typedAddress,
  // A display name remains as it is.
  mailbox: (text) =>
    text.includes('<')
      ? text.replace(/<([^<>]*)>/, (_, address: string) => `<${typedAddress(address)}>`)
      : typedAddress(text),
  phone: (text) => withoutSpaceAround(typedDigits(text)),
  'date-time': withoutLeapSecond,
};
/** Longer texts are refused by their schema. */
const longest = 2_000;

/** By schema; null if values of the schema contain no such text, so that they are not walked through. */
const known = new WeakMap<JsonSchema, Reader | null>();

function readerOf(schema: JsonSchema): Reader | null {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const made = make(schema);
  known.set(schema, made);
  return made;
}

function make(schema: JsonSchema): Reader | null {
  const { format, items, anyOf, additionalProperties: values } = schema;
  const readText = typeof format === 'string' ? readers[format] : undefined;
  if (readText) return (value) => (typeof value === 'string' && value.length <= longest ? readText(value) : value);
  if (Array.isArray(anyOf)) return inTurn(anyOf.filter(isSchema).map(readerOf));
  if (isSchema(items)) return ofItems(readerOf(items));
  if (isSchema(values)) return ofValues(readerOf(values));
  return ofProperties(Object.entries(propertiesOf(schema)).map(([name, each]) => [name, readerOf(each)]));
}

/** For alternatives: each changes only its own texts. */
function inTurn(alternatives: readonly (Reader | null)[]): Reader | null {
  const found = alternatives.filter((each) => each !== null);
  return found.length === 0 ? null : (value) => found.reduce((changed, read) => read(changed), value);
}

const ofItems = (read: Reader | null): Reader | null =>
  read && ((value) => (Array.isArray(value) ? value.map(read) : value));

const ofValues = (read: Reader | null): Reader | null =>
  read &&
  ((value) => {
    if (isRecord(value))
      for (const [name, each] of Object.entries(value)) if (name !== '__proto__') value[name] = read(each);
    return value;
  });

function ofProperties(properties: readonly (readonly [string, Reader | null])[]): Reader | null {
  const found = properties.flatMap(([name, read]) => (read ? [[name, read] as const] : []));
  if (found.length === 0) return null;
  return (value) => {
    if (isRecord(value))
      for (const [name, read] of found) if (Object.hasOwn(value, name)) value[name] = read(value[name]);
    return value;
  };
}

/**
 * Reads the texts of an input, in place and before it is validated, as they were meant. A UUID is read in either case
 * (RFC 9562, 4), and svc stores, compares and returns it in lower case. For addresses and numbers, see typed.ts.
 * @param input invalid parts remain as they are
 */
export function readTyped(schema: JsonSchema, input: unknown): void {
  readerOf(schema)?.(input);
}
