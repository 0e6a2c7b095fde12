import type { Catalogue } from '#core/kernel/catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import type { CliCatalogue, CliOperation } from './catalogue.js';
import { fieldsOf } from './field.js';

/** What the command line knows of a registry's operations. */
export const catalogueOf = ({ products, operations }: Pick<Catalogue, 'products' | 'operations'>): CliCatalogue => ({
  products: Object.fromEntries(products),
  operations: [...operations.values()].map(describeCommand).sort((a, b) => (a.name < b.name ? -1 : 1)),
});

/** The text of catalogue.gen.ts: a line per operation, so that a change of one is a change of one line. */
export function catalogueText(registry: Pick<Catalogue, 'products' | 'operations'>): string {
  const { products, operations } = catalogueOf(registry);
  return [
    '// Written by `npm run generate` from the registry: what the command line `svc` knows of the operations.',
    "import type { CliCatalogue } from './catalogue.js';",
    '',
    'export const catalogue: CliCatalogue = {',
    `  products: ${JSON.stringify(products)},`,
    '  operations: [',
    ...operations.map((operation) => `    ${JSON.stringify(operation)},`),
    '  ],',
    '};',
    '',
  ].join('\n');
}

function describeCommand({
  name,
  summary,
  description,
  access,
  impact,
  input,
  output,
  example,
}: Operation): CliOperation {
  const list = listOf(output);
  return {
    name,
    summary,
    ...(description === undefined ? {} : { description }),
    access,
    ...(impact.read ? { read: true } : {}),
    ...(impact.destructive ? { destructive: true } : {}),
    ...(impact.retrySafe ? { retrySafe: true } : {}),
    input: fieldsOf(input),
    example: Object.assign({}, example.input),
    ...(list ? { list } : {}),
    ...('nextBefore' in propertiesOf(output) ? { pages: true } : {}),
  };
}

/** The same in every row, or told by the key. */
const untelling = ['accountId', 'projectId', 'environmentId', 'environment'];
/** What people look for in a list, wherever its schema has it. */
const telling = ['name', 'type', 'kind', 'status', 'role', 'subject', 'to', 'email', 'url', 'summary'];
const mostColumns = 7;

const isShort = (schema: JsonSchema): boolean => {
  const kinds: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  return kinds.some((kind) => ['string', 'integer', 'number', 'boolean'].includes(String(kind)));
};

const isShortList = ({ type, items }: JsonSchema): boolean => type === 'array' && isSchema(items) && isShort(items);

/** Its id first, then what tells a row, when it was made, and the rest: the terminal's width drops them from the end. */
function rankOf(name: string, schema: JsonSchema, index: number): number {
  if (index === 0 && schema['format'] === 'uuid') return 0;
  if (telling.includes(name)) return 1;
  if (name === 'createdAt') return 2;
  return isShort(schema) ? 3 : 4;
}

/** The reply's list, and which of its columns are worth showing. */
function listOf(output: JsonSchema): CliOperation['list'] {
  for (const [field, { type, items }] of Object.entries(propertiesOf(output))) {
    if (type !== 'array' || !isSchema(items)) continue;
    const columns = Object.entries(propertiesOf(items))
      .filter(([name, schema]) => !untelling.includes(name) && (isShort(schema) || isShortList(schema)))
      .map(([name, schema], index) => ({ name, rank: rankOf(name, schema, index) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ name }) => name);
    if (columns.length > 0) return { field, columns: columns.slice(0, mostColumns) };
  }
  return undefined;
}
