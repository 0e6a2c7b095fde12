import { invalidField } from '#core/kernel/errors/invalid-field.js';

const contactFields = ['externalId', 'email', 'phone', 'firstName', 'lastName', 'locale', 'timeZone'] as const;
const identifyingFields: readonly string[] = ['externalId', 'email', 'phone'];
/** As in the schema of a contact's properties: 1 to 100 characters, no control characters. */
const propertyField = /^properties\.([^\u0000-\u001f\u007f]{1,100})$/u;
/** Keys that would reach an object's prototype. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Where the cells of a column go. */
export interface Target {
  /** A field of the contact, or `properties`. */
  field: string;
  /** The property's key, for `properties`. */
  property: string | undefined;
}

/** Columns that the header line, and `columns`, may have. */
export const maxColumns = 1000;
/** Characters of a column's name in `columns`. */
export const maxColumnName = 200;
/** Longer cells of the header line cannot equal a name in `columns`, regardless of their Unicode form. */
const maxCompared = 5 * maxColumnName;

/**
 * A column's name as it is compared: trimmed, in NFC. Long texts stay as they are: normalizing takes time in proportion
 * to the square of a run of combining marks (9 s for 200,000, measured).
 */
export function normalizeColumn(name: string): string {
  const trimmed = name.trim();
  return trimmed.length > maxCompared ? trimmed : trimmed.normalize('NFC');
}

function invalid(column: string, problem: string): Error {
  const field = column === '' ? 'columns' : `columns.${column.slice(0, 200)}`;
  return invalidField(field, problem);
}

function targetOf(column: string, field: string): Target {
  if (contactFields.some((name) => name === field)) return { field, property: undefined };
  const property = propertyField.exec(field)?.[1]?.normalize('NFC');
  if (property === undefined || forbiddenKeys.has(property))
    throw invalid(column, `must be one of ${contactFields.join(', ')}, properties.<key>`);
  return { field: 'properties', property };
}

/**
 * Parses the `columns` of a call.
 * @param columns {<column>: field}
 * @returns targets by normalized column name
 * @throws invalid_input naming the column: an unknown field, a field or column named twice, no identifier
 */
export function targetsOf(columns: Readonly<Record<string, string>>): Map<string, Target> {
  const targets = new Map<string, Target>();
  const filled = new Set<string>();
  for (const [column, field] of Object.entries(columns)) {
    const target = targetOf(column, field);
    const key = `${target.field}.${target.property ?? ''}`;
    if (filled.has(key)) throw invalid(column, 'names a field that another column already maps to');
    if (targets.has(normalizeColumn(column))) throw invalid(column, 'is named twice');
    filled.add(key);
    targets.set(normalizeColumn(column), target);
  }
  if (![...targets.values()].some(({ field }) => identifyingFields.includes(field)))
    throw invalid('', `must name a column for at least one of ${identifyingFields.join(', ')}`);
  return targets;
}

const maxShownNames = 10;
const maxShownLength = 40;
/** An address or a number: the first line contains a person's data, which must not appear in a refusal. */
const isPersonalData = (name: string): boolean => name.includes('@') || /\d{5}/.test(name.replace(/[\s().-]/g, ''));

/** “, which holds Email, Name and 3 more” */
function describeHeader(names: readonly string[]): string {
  if (names.some(isPersonalData)) return ': the first line must contain the column names';
  const known = names.filter((name) => name !== '');
  if (known.length === 0) return ', which is empty';
  const shown = known
    .slice(0, maxShownNames)
    .map((name) => (name.length > maxShownLength ? `${name.slice(0, maxShownLength)}…` : name));
  const more = known.length - maxShownNames;
  return `, which contains ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * Matches the header line with the targets.
 * @returns one entry per column of the header; undefined for a column to ignore
 * @throws invalid_input naming a column that the header lacks or has twice
 */
export function matchHeader(
  header: readonly string[],
  targets: ReadonlyMap<string, Target>,
): readonly (Target | undefined)[] {
  const names = header.map(normalizeColumn);
  const found = new Set<string>();
  for (const name of names) {
    if (found.has(name) && targets.has(name)) throw invalid(name, 'appears twice in the header line');
    found.add(name);
  }
  for (const column of targets.keys())
    if (!found.has(column)) throw invalid(column, `is not in the header line${describeHeader(names)}`);
  return names.map((name) => targets.get(name));
}
