import { isIP } from 'node:net';
import { CliError } from '../errors.js';
import type { Entry } from './files/entry.js';
import { tableRows, type TableRow } from './files/csv.js';
import type { MovedContact, MoveSettings, Note, Place, PropertyValue } from './found.js';

/** As audience.contact.upsert takes them. */
const limits = { name: 200, text: 500, property: 100, properties: 200 } as const;

/**
 * A time in RFC 3339 form, from that form, `2024-02-11 10:05:00` (read as UTC) or what Go prints
 * (`2024-02-11 10:05:00.123 +0000 UTC`); undefined for others.
 */
export function timeOf(text: string | null | undefined): string | undefined {
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?(?: ?(Z|[+-]\d\d:?\d\d))?(?: [A-Z][A-Za-z]*|(?: [+-]\d{4}))?)?$/.exec(
      text?.trim() ?? '',
    ) ?? [];
  if (date === undefined) return undefined;
  const at = new Date(`${date}T${time}${fraction.slice(0, 4)}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The server checks addresses exactly; this finds what is certainly none. */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>"(),;:]+@[^\s@<>"(),;:]+\.[^\s@<>"(),;:.]{2,}$/u.test(text);

/** A number in international form, without spaces and punctuation; undefined for others. */
export function numberOf(text: string): string | undefined {
  const digits = text.replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : undefined;
}

/** The first IP address of a list, as proxies write them; undefined if it is none. */
export function ipOf(text: string): string | undefined {
  const first = text.split(',', 1)[0]?.trim() ?? '';
  return isIP(first) === 0 ? undefined : first;
}

/** The time zones of names that were looked up: each look-up takes as long as reading ten rows. */
const timeZones = new Map<string, string | undefined>();
/** More names than there are time zones: the others are mistakes. */
const maxTimeZones = 1_000;

/** The time zone with a name; undefined if there is none. */
function timeZoneOf(name: string): string | undefined {
  if (timeZones.has(name)) return timeZones.get(name);
  if (timeZones.size === maxTimeZones) timeZones.clear();
  const found = knownTimeZone(name);
  timeZones.set(name, found);
  return found;
}

function knownTimeZone(name: string): string | undefined {
  try {
    return name === '' ? undefined : new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The key of the property for a column: `Favourite Colour` becomes `favourite_colour`. */
export const propertyKey = (column: string): string =>
  column
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, limits.property);

const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype']);
const textFields = ['firstName', 'lastName', 'externalId', 'locale', 'timeZone', 'phone'] as const;
type TextField = (typeof textFields)[number];

const isTextField = (field: string): field is TextField => textFields.some((each) => each === field);

/** The fields that `--map` takes. */
const mapTargets = [...textFields, 'properties.<key>', 'ignore'].join(', ');

/** Where the cells of a column go. */
type ColumnTarget =
  { readonly kind: 'field'; readonly field: TextField } | { readonly kind: 'property'; readonly key: string };

/** @throws CliError for a field that contacts do not have */
function columnTarget(column: string, field: string): ColumnTarget | undefined {
  if (field === 'ignore') return undefined;
  if (isTextField(field)) return { kind: 'field', field };
  const key = /^properties\.([^\u0000-\u001f\u007f]{1,100})$/u.exec(field)?.[1];
  if (key === undefined || unsafeKeys.has(key))
    throw new CliError(`--map ${column}=${field}: contacts have no field ${field}.`, `Use one of ${mapTargets}.`);
  return { kind: 'property', key };
}

/** What each column of a table becomes. */
export type Targets = ReadonlyMap<string, ColumnTarget>;

/**
 * The targets of the columns: as `--map` states, as the source states, or a property named after the column.
 * @param known of the source: a field as in `--map`, `property` for one named after the column, or undefined for a
 *   column that the source reads itself or leaves out
 * @throws CliError if two columns become the same field
 */
export function targetsOf(
  entry: Entry,
  header: readonly string[],
  { columns }: MoveSettings,
  known: (column: string) => string | undefined,
): Targets {
  const targets = new Map<string, ColumnTarget>();
  const taken = new Map<string, string>();
  for (const column of header) {
    const key = propertyKey(column);
    const stated = columns.get(column.toLowerCase()) ?? known(column);
    const field =
      stated === 'property' ? (key === '' || unsafeKeys.has(key) ? undefined : `properties.${key}`) : stated;
    const target = field === undefined ? undefined : columnTarget(column, field);
    if (!target || field === undefined) continue;
    const other = taken.get(field);
    if (other !== undefined)
      throw new CliError(
        `${entry.name}, line 1: the columns “${other}” and “${column}” would both become ${field}.`,
        `Pass --map "${column}=ignore", or --map "${column}=properties.<key>" with another key.`,
      );
    taken.set(field, column);
    targets.set(column, target);
  }
  return targets;
}

type ColumnType = 'number' | 'boolean' | 'time' | 'text';

/** The types of the columns that become properties. */
export type ColumnTypes = ReadonlyMap<string, ColumnType>;

function typeOf(cell: string): ColumnType {
  if (/^(?:true|false)$/i.test(cell)) return 'boolean';
  // A number prints as it was written; postcodes and ids with leading zeros do not.
  if (
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell) &&
    String(Number(cell)) === cell &&
    Number.isSafeInteger(Math.trunc(Number(cell)))
  )
    return 'number';
  return /^\d{4}-\d\d-\d\d[T ]\d/.test(cell) && timeOf(cell) !== undefined ? 'time' : 'text';
}

/** A table whose columns are known. */
export interface Table {
  readonly entry: Entry;
  /** The columns, all with different names. */
  readonly header: readonly string[];
  readonly targets: Targets;
}

/**
 * Reads tables for the types of the columns that become properties. A column has one type in all rows: values of
 * different types never compare in segments.
 * @param tables whose columns mean the same
 */
export async function columnTypesOf(tables: readonly Table[]): Promise<ColumnTypes> {
  const types = new Map<string, ColumnType>();
  for (const { entry, header, targets } of tables) {
    const open = new Set(header.filter((column) => targets.get(column)?.kind === 'property'));
    for await (const { cells } of tableRows(entry, header)) {
      for (const column of open) {
        const cell = cells.get(column) ?? '';
        if (cell === '') continue;
        const known = types.get(column);
        const type = known === 'text' ? known : typeOf(cell);
        types.set(column, known === undefined || known === type ? type : 'text');
        // Text stays text.
        if (types.get(column) === 'text') open.delete(column);
      }
      if (open.size === 0) break;
    }
  }
  return types;
}

const parsers: Readonly<Record<ColumnType, (cell: string) => PropertyValue>> = {
  number: Number,
  boolean: (cell) => cell.toLowerCase() === 'true',
  time: (cell) => timeOf(cell) ?? cell,
  text: (cell) => cell,
};

/** A row as a contact. Cells that a contact cannot have are noted and left out. */
export function contactOf(
  email: string,
  { place, cells }: TableRow,
  targets: Targets,
  types: ColumnTypes,
): { contact: MovedContact; notes: Note[] } {
  const notes: Note[] = [];
  const properties: Record<string, PropertyValue> = {};
  const fields: Partial<Record<TextField, string>> = {};
  for (const [column, target] of targets) {
    const cell = cells.get(column) ?? '';
    if (cell === '') continue;
    const note = (reason: string): unknown => notes.push({ place, who: email, column, reason, failed: true });
    if (target.kind === 'property') {
      if (cell.length > limits.text) note(`a property has at most ${limits.text} characters`);
      else properties[target.key] = parsers[types.get(column) ?? 'text'](cell);
      continue;
    }
    const value = target.field === 'phone' ? numberOf(cell) : target.field === 'timeZone' ? timeZoneOf(cell) : cell;
    if (value === undefined)
      note(target.field === 'phone' ? 'the number is not in international form (+49…)' : 'the time zone is not known');
    else if (value.length > limits.name) note(`${target.field} has at most ${limits.name} characters`);
    else fields[target.field] = value;
  }
  return { contact: { email, ...fields, properties }, notes };
}

/** Properties from a JSON object: objects and lists as JSON text. Values that are too long are noted. */
export function propertiesOf(
  attributes: Readonly<Record<string, unknown>>,
  place: Place,
  who: string,
): { properties: Record<string, PropertyValue>; notes: Note[] } {
  const notes: Note[] = [];
  const properties: Record<string, PropertyValue> = {};
  const note = (column: string, reason: string): unknown => notes.push({ place, who, column, reason, failed: true });
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    const flat =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : JSON.stringify(value);
    if (unsafeKeys.has(name) || !/^[^\u0000-\u001f\u007f]{1,100}$/u.test(name))
      note(name.slice(0, 40), 'the name cannot be that of a property');
    else if (typeof flat === 'string' && flat.length > limits.text)
      note(name, `a property has at most ${limits.text} characters`);
    else if (Object.keys(properties).length === limits.properties)
      note(name, `a contact has at most ${limits.properties} properties`);
    else properties[name] = flat;
  }
  return { properties, notes };
}
