import { refusalOf } from '#core/kernel/errors/common.js';

const fields = ['externalId', 'email', 'phone', 'firstName', 'lastName', 'locale', 'timeZone'] as const;
const identifying: readonly string[] = ['externalId', 'email', 'phone'];
/** As the schema of a contact's properties: 1 to 100 characters, no controls. */
const propertyField = /^properties\.([^\u0000-\u001f\u007f]{1,100})$/u;
/** Names that reach an object's prototype; request bodies may not hold them either. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Where the cells of a column go. */
export interface Target {
  /** The contact's field, or `properties`. */
  field: string;
  /** The property's name, where it is one. */
  property: string | undefined;
}

/** Names as they are compared: without the blanks around them, in one normal form. */
export const plainName = (name: string): string => name.trim().normalize('NFC');

function refused(column: string, problem: string): Error {
  const field = column === '' ? 'columns' : `columns.${column.slice(0, 200)}`;
  return refusalOf.invalid_input({ field, problem, details: { field } });
}

function targetOf(column: string, field: string): Target {
  if (fields.some((name) => name === field)) return { field, property: undefined };
  const property = propertyField.exec(field)?.[1]?.normalize('NFC');
  if (property === undefined || forbidden.has(property))
    throw refused(column, `must be one of ${fields.join(', ')}, properties.<key>`);
  return { field: 'properties', property };
}

/**
 * What the caller's `columns` mean.
 * @param columns {<column>: field}
 * @returns targets by the column's plain name
 * @throws invalid_input naming the column: no such field, a field or a column named twice, nobody to be told by
 */
export function targetsOf(columns: Readonly<Record<string, string>>): Map<string, Target> {
  const targets = new Map<string, Target>();
  const filled = new Set<string>();
  for (const [column, field] of Object.entries(columns)) {
    const target = targetOf(column, field);
    const place = `${target.field}.${target.property ?? ''}`;
    if (filled.has(place)) throw refused(column, 'names a field that another column fills already');
    if (targets.has(plainName(column))) throw refused(column, 'is named twice');
    filled.add(place);
    targets.set(plainName(column), target);
  }
  if (![...targets.values()].some(({ field }) => identifying.includes(field)))
    throw refused('', `must name a column for at least one of ${identifying.join(', ')}`);
  return targets;
}

const [mostShown, longestShown] = [10, 40];
/** An address or a number: the first line is of a person, who is not to stand in a refusal. */
const isData = (name: string): boolean => name.includes('@') || /\d{5}/.test(name.replace(/[\s().-]/g, ''));

/** “, which holds Email, Name and 3 more” */
function foundIn(names: readonly string[]): string {
  if (names.some(isData)) return ': the first line must name the columns';
  const told = names.filter((name) => name !== '');
  if (told.length === 0) return ', which is empty';
  const shown = told
    .slice(0, mostShown)
    .map((name) => (name.length > longestShown ? `${name.slice(0, longestShown)}…` : name));
  return `, which holds ${shown.join(', ')}${told.length > mostShown ? ` and ${told.length - mostShown} more` : ''}`;
}

/**
 * Which cell goes where.
 * @returns one entry for each column of the header; undefined for a column that is not named and so ignored
 * @throws invalid_input naming a column that the header lacks, or has twice
 */
export function placesIn(
  header: readonly string[],
  targets: ReadonlyMap<string, Target>,
): readonly (Target | undefined)[] {
  const names = header.map(plainName);
  for (const column of targets.keys()) {
    const found = names.filter((name) => name === column).length;
    if (found === 0) throw refused(column, `is no column of the header line${foundIn(names)}`);
    if (found > 1) throw refused(column, 'stands in the header line twice');
  }
  return names.map((name) => targets.get(name));
}
