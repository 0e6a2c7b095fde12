import { columnsOf, isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import type { CliTable } from './command-catalogue.js';
import { isWhole, isWholeInTables } from './terminal/whole-values.js';

/*
 * The columns of tables. A resource names its own (`columns` of `object`) if people look for something other than the
 * first plain fields; otherwise the columns are derived from the schema.
 */

/** Columns without information: the same in every row, or known from the key. */
const hiddenColumns = ['accountId', 'projectId', 'environmentId', 'environment'];
/** Columns that identify a row, shown first. */
const mainColumns = ['name', 'type', 'kind', 'status', 'role', 'subject', 'to', 'email', 'url', 'summary', 'total'];
/** When a row came to be, shown after those. */
const creationTimes = ['createdAt', 'receivedAt', 'recordedAt'];
/** If only one more is left, it is shown instead of named under the table. */
const maxColumns = 7;

/** The schema of a value that is present. */
const givenOf = (schema: JsonSchema): JsonSchema =>
  Array.isArray(schema['anyOf'])
    ? (schema['anyOf'].filter(isSchema).find(({ type }) => type !== 'null') ?? schema)
    : schema;

const isShort = (schema: JsonSchema): boolean => {
  const given = givenOf(schema);
  const kinds: readonly unknown[] = Array.isArray(given['type']) ? given['type'] : [given['type']];
  const names = Object.keys(propertiesOf(given));
  if (isWhole(names) || isWholeInTables(names)) return true;
  return kinds.some((kind) => ['string', 'integer', 'number', 'boolean'].includes(String(kind)));
};

const isShortList = ({ type, items }: JsonSchema): boolean => type === 'array' && isSchema(items) && isShort(items);

/** Order of columns: id, main columns, creation time, the rest. Narrow terminals drop columns from the end. */
function rankOf(name: string, schema: JsonSchema, index: number): number {
  if (index === 0 && schema['format'] === 'uuid') return 0;
  if (mainColumns.includes(name)) return 1;
  if (creationTimes.includes(name)) return 2;
  return isShort(schema) ? 3 : 4;
}

function derivedColumns(fields: readonly (readonly [string, JsonSchema])[]): readonly string[] {
  const ordered = fields
    .filter(([, schema]) => isShort(schema) || isShortList(schema))
    .map(([name, schema], index) => ({ name, rank: rankOf(name, schema, index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
  return ordered.length > maxColumns + 1 ? ordered.slice(0, maxColumns) : ordered;
}

/** The field that a column shows, or that the value is in. */
const fieldOf = (column: string): string => column.split('.')[0] ?? '';

/** The table of a list with such items; undefined if they have no plain fields. */
function tableOf(items: JsonSchema): CliTable | undefined {
  const properties = propertiesOf(items);
  const fields = Object.entries(properties).filter(([name]) => !hiddenColumns.includes(name));
  // A deployment may lack a product, and so some of the fields.
  const columns = columnsOf(items)?.filter((column) => fieldOf(column) in properties) ?? derivedColumns(fields);
  const shown = columns.map(fieldOf);
  const others = fields.map(([name]) => name).filter((name) => !shown.includes(name));
  return columns.length === 0 ? undefined : { columns, ...(others.length > 0 ? { others } : {}) };
}

const listsIn = (output: JsonSchema): [string, JsonSchema][] =>
  Object.entries(propertiesOf(output)).flatMap(([field, { type, items }]): [string, JsonSchema][] =>
    type === 'array' && isSchema(items) ? [[field, items]] : [],
  );

/** The reply's list field and its table: the first list of objects. */
export function listOf(output: JsonSchema): (CliTable & { readonly field: string }) | undefined {
  for (const [field, items] of listsIn(output)) {
    const table = tableOf(items);
    if (table) return { field, ...table };
  }
  return undefined;
}

/**
 * The tables of a reply's other lists whose items name their columns. A table of any other list shows all plain values.
 */
export function furtherTables(output: JsonSchema): Readonly<Record<string, CliTable>> {
  const first = listOf(output)?.field;
  return Object.fromEntries(
    listsIn(output).flatMap(([field, items]): [string, CliTable][] => {
      const table = field === first || columnsOf(items) === undefined ? undefined : tableOf(items);
      return table ? [[field, table]] : [];
    }),
  );
}
