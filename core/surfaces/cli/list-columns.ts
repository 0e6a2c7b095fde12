import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import type { CliOperation } from './catalogue.js';
import { isNamed, isWhole } from './terminal/whole-values.js';

/** Columns without information: the same in every row, or known from the key. */
const hiddenColumns = ['accountId', 'projectId', 'environmentId', 'environment'];
/** Columns that identify a row, shown first. */
const mainColumns = ['name', 'type', 'kind', 'status', 'role', 'subject', 'to', 'email', 'url', 'summary', 'total'];
/** When a row came to be, shown after those. */
const creationTimes = ['createdAt', 'receivedAt', 'recordedAt'];
/** Where one more is left, it is shown instead of named under the table. */
const maxColumns = 7;

/** What a value is where it is there. */
const givenOf = (schema: JsonSchema): JsonSchema =>
  Array.isArray(schema['anyOf'])
    ? (schema['anyOf'].filter(isSchema).find(({ type }) => type !== 'null') ?? schema)
    : schema;

const isShort = (schema: JsonSchema): boolean => {
  const given = givenOf(schema);
  const kinds: readonly unknown[] = Array.isArray(given['type']) ? given['type'] : [given['type']];
  const names = Object.keys(propertiesOf(given));
  if (isWhole(names) || isNamed(names)) return true;
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

/** The reply's list field and the columns to show. */
export function listOf(output: JsonSchema): CliOperation['list'] {
  for (const [field, { type, items }] of Object.entries(propertiesOf(output))) {
    if (type !== 'array' || !isSchema(items)) continue;
    const fields = Object.entries(propertiesOf(items)).filter(([name]) => !hiddenColumns.includes(name));
    const ordered = fields
      .filter(([, schema]) => isShort(schema) || isShortList(schema))
      .map(([name, schema], index) => ({ name, rank: rankOf(name, schema, index) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ name }) => name);
    const columns = ordered.length > maxColumns + 1 ? ordered.slice(0, maxColumns) : ordered;
    const others = fields.map(([name]) => name).filter((name) => !columns.includes(name));
    if (columns.length > 0) return { field, columns, ...(others.length > 0 ? { others } : {}) };
  }
  return undefined;
}
