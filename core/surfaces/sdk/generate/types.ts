import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { componentNameOn, type Side } from '../../component-names.js';
import { braces, documented, key, quoted } from './text.js';

/**
 * Writes schemas as TypeScript types. Input types are strict: an unknown field is a compile error, fields with a
 * default are optional. Reply types name the fields of this version: a typo is a compile error. Newer servers may add
 * fields, which are passed on unchanged.
 */
export interface TypeWriter {
  /** The type of a value. */
  typeOf(schema: JsonSchema): string;
  /** The type without its name: the body of an interface. */
  bodyOf(schema: JsonSchema): string;
  /** Declarations of the named types written so far, by name. */
  readonly declarations: ReadonlyMap<string, string>;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const schemasIn = (value: unknown): JsonSchema[] => (isList(value) ? value.filter(isSchema) : []);
const isText = (value: unknown): value is string => typeof value === 'string';
const textsIn = (value: unknown): string[] => (isList(value) ? value.filter(isText) : []);

const literal = (value: unknown): string => (isText(value) ? quoted(value) : JSON.stringify(value));
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const grouped = (type: string): string => (/ [|&] /.test(type) ? `(${type})` : type);

const typeNames: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** A field's description, followed in brackets by rules that its type cannot express. */
export function fieldNote(schema: JsonSchema): string | undefined {
  const { description, format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const range = (low: unknown, high: unknown, unit: string): string | undefined => {
    if (typeof low === 'number' && typeof high === 'number') return `${low} to ${high}${unit}`;
    if (typeof high === 'number') return `at most ${high}${unit}`;
    return typeof low === 'number' && low > 0 ? `at least ${low}${unit}` : undefined;
  };
  const notes = [
    isText(format) ? format : undefined,
    range(minimum, maximum, ''),
    format === undefined ? range(minLength, maxLength, ' characters') : undefined,
    range(minItems, maxItems, ' items'),
    'default' in schema ? `default ${JSON.stringify(schema['default'])}` : undefined,
  ].filter((note) => note !== undefined);
  const text = isText(description) ? description : '';
  if (text === '') return notes.join('; ');
  return notes.length === 0 ? text : `${text} (${notes.join('; ')})`;
}

/** Creates a writer. @param side whether the types are for inputs or replies */
export function typeWriter(side: Side): TypeWriter {
  const declarations = new Map<string, string>();
  const visited = new Set<JsonSchema>();

  function memberOf(name: string, schema: JsonSchema, required: readonly string[]): string {
    // A field with a default is always present in a reply, and optional in an input.
    const isPresent = required.includes(name) || (side === 'reply' && 'default' in schema);
    // JSON has no undefined, so callers may pass it: with exactOptionalPropertyTypes, only if the type says so.
    const absent = side === 'input' && !isPresent ? ' | undefined' : '';
    return documented([fieldNote(schema)], `${key(name)}${isPresent ? '' : '?'}: ${typeOf(schema)}${absent};`);
  }

  function objectBody(schema: JsonSchema): string {
    const required = textsIn(schema['required']);
    const properties = Object.entries(propertiesOf(schema));
    // TypeScript accepts any object for {}.
    if (properties.length === 0 && side === 'input') return 'Record<string, never>';
    const body = braces(properties.map(([name, each]) => memberOf(name, each, required)));
    const choices = schemasIn(schema['oneOf']).flatMap((each) => textsIn(each['required']));
    return choices.length === 0 || side === 'reply' ? body : `ExactlyOne<${body}, ${union(choices.map(quoted))}>`;
  }

  function bodyOf(schema: JsonSchema): string {
    const { anyOf, oneOf, type, items, properties, additionalProperties } = schema;
    const values: unknown = schema['enum'];
    if ('const' in schema) return literal(schema['const']);
    if (isList(values)) return union(values.map(literal));
    if (isList(type))
      return union(type.map((each) => bodyOf(each === 'null' ? { type: each } : { ...schema, type: each })));
    if (properties !== undefined) return objectBody(schema);
    const alternatives = schemasIn(anyOf ?? oneOf);
    if (alternatives.length > 0) return union(alternatives.map(typeOf));
    if (type === 'array') return isSchema(items) ? `${grouped(typeOf(items))}[]` : 'unknown[]';
    if (type === 'object') {
      // An object without properties is empty if it allows no others; otherwise the caller chooses the names.
      if (additionalProperties === false) return 'Record<string, never>';
      return `Record<string, ${isSchema(additionalProperties) ? typeOf(additionalProperties) : 'unknown'}>`;
    }
    return isText(type) ? (typeNames[type] ?? 'unknown') : 'unknown';
  }

  /** @throws Error when two different schemas have the same name */
  function declare(name: string, schema: JsonSchema): void {
    if (visited.has(schema)) return;
    visited.add(schema);
    const known = declarations.get(name);
    // Registered before it is visited, so that a schema may contain itself.
    if (known === undefined) declarations.set(name, '');
    const body = bodyOf(schema);
    const text = body.startsWith('{') ? `export interface ${name} ${body}` : `export type ${name} = ${body};`;
    if (known !== undefined && known !== '' && known !== text) {
      throw new Error(`Two schemas are named ${name} but differ:\n${known}\n${text}`);
    }
    declarations.set(name, text);
  }

  function typeOf(schema: JsonSchema): string {
    const name = componentNameOn(side, schema);
    if (name === undefined) return bodyOf(schema);
    declare(name, schema);
    return name;
  }

  return { typeOf, bodyOf, declarations };
}
