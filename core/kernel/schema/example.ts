import { isSchema, propertiesOf, type JsonSchema } from './schema.js';

const byFormat: Readonly<Record<string, string>> = {
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  email: 'ada@example.com',
  phone: '+491713920000',
  date: '2026-11-20',
  'date-time': '2026-11-20T09:30:00.000Z',
  uri: 'https://example.com/',
};

/** Generates a value that is valid for a schema, if no example is declared. */
export function exampleOf(schema: JsonSchema): unknown {
  const { anyOf, type, items, format } = schema;
  const values: unknown = schema['enum'];
  if ('default' in schema) return schema['default'];
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) {
    const alternative = anyOf.filter(isSchema).find((each) => each['type'] !== 'null');
    return alternative ? exampleOf(alternative) : null;
  }
  // A nullable value is shown as its non-null alternative.
  const kinds: readonly unknown[] = Array.isArray(type) ? type : [type];
  const kind = kinds.find((each) => each !== 'null');
  switch (kind) {
    case 'object':
      return Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, each]) => [name, exampleOf(each)]));
    case 'array':
      return isSchema(items) ? [exampleOf(items)] : [];
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'string':
      return typeof format === 'string' ? (byFormat[format] ?? 'text') : exampleText(schema);
    default:
      return {};
  }
}

/** A sample text; a colour if the pattern requires one. */
function exampleText({ pattern }: JsonSchema): string {
  if (pattern === '^#[0-9a-fA-F]{6}$') return '#1f5fbf';
  return pattern === '^[A-Z]{2}$' ? 'DE' : 'text';
}
