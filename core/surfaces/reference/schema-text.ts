import { componentName, isSchema, type JsonSchema, notBlank } from '#core/kernel/schema/schema.js';

/** A type's description. Resources are written by name, to be linked. */
export type TypeText = readonly (string | { readonly resource: string })[];

interface Noun {
  one: string;
  many: string;
}

const byFormat: Readonly<Record<string, Noun>> = {
  uuid: { one: 'id (UUID)', many: 'ids (UUID)' },
  email: { one: 'email address', many: 'email addresses' },
  date: { one: 'date', many: 'dates' },
  'date-time': { one: 'time', many: 'times' },
  uri: { one: 'URL', many: 'URLs' },
};

const byType: Readonly<Record<string, Noun>> = {
  string: { one: 'text', many: 'texts' },
  boolean: { one: 'true or false', many: 'true or false' },
  integer: { one: 'whole number', many: 'whole numbers' },
  number: { one: 'number', many: 'numbers' },
  object: { one: 'object', many: 'objects' },
  null: { one: 'null', many: 'nulls' },
};

const anyValue: Noun = { one: 'any JSON value', many: 'any JSON values' };

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** The alternatives of an anyOf, or the schema itself. */
export const alternativesOf = ({ anyOf, ...schema }: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(anyOf) ? anyOf.filter(isSchema) : [schema];

/** The values of an enum as text. */
export const valuesOf = (schema: JsonSchema): string[] => {
  const values: unknown = schema['enum'];
  return Array.isArray(values) ? values.filter((each) => each !== null).map(String) : [];
};

const isMap = (schema: JsonSchema): schema is JsonSchema & { additionalProperties: JsonSchema } =>
  isSchema(schema['additionalProperties']);

/** Describes the type of a value: “list of email addresses or null”. */
export function describeType(schema: JsonSchema, form: keyof Noun = 'one'): TypeText {
  const resource = componentName(schema);
  if (resource !== undefined) return [{ resource }];
  const { anyOf, type, items, format } = schema;
  if (Array.isArray(anyOf)) {
    return alternativesOf(schema).flatMap((each, index) => [
      ...(index === 0 ? [] : [' or ']),
      ...describeType(each, form),
    ]);
  }
  if (Array.isArray(type)) {
    const { type: _, ...rest } = schema;
    return texts(type).flatMap((each, index) => [
      ...(index === 0 ? [] : [' or ']),
      ...describeType({ ...rest, type: each }, form),
    ]);
  }
  if (type === 'array') {
    const prefix = form === 'one' ? 'list of ' : 'lists of ';
    return isSchema(items) ? [prefix, ...describeType(items, 'many')] : [prefix, anyValue.many];
  }
  if (type === 'null') return ['null'];
  if (isMap(schema))
    return [`${form === 'one' ? 'object' : 'objects'} of `, ...describeType(schema.additionalProperties, 'many')];
  if (valuesOf(schema).length > 0) return ['one of'];
  const noun = typeof format === 'string' ? byFormat[format] : undefined;
  return [(noun ?? (typeof type === 'string' ? byType[type] : undefined) ?? anyValue)[form]];
}

const range = (schema: JsonSchema, least: string, most: string, unit: string): string[] => {
  const [low, high] = [schema[least], schema[most]];
  const grouped = (value: number): string => value.toLocaleString('en');
  const units = unit === '' ? '' : ` ${unit}`;
  if (typeof low === 'number' && typeof high === 'number') {
    return [low === high ? `exactly ${grouped(low)}${units}` : `${grouped(low)} to ${grouped(high)}${units}`];
  }
  if (typeof low === 'number') return [`at least ${grouped(low)}${units}`];
  return typeof high === 'number' ? [`at most ${grouped(high)}${units}`] : [];
};

/** Describes the limits of a value: “1 to 998 characters”. A format implies its own length. */
export function describeBounds(schema: JsonSchema): string[] {
  const { format, pattern, uniqueItems, anyOf } = schema;
  if (Array.isArray(anyOf)) return [...new Set(alternativesOf(schema).flatMap(describeBounds))];
  return [
    ...(typeof format === 'string' ? [] : range(schema, 'minLength', 'maxLength', 'characters')),
    ...range(schema, 'minimum', 'maximum', ''),
    ...range(schema, 'minItems', 'maxItems', 'items'),
    ...range(schema, 'minProperties', 'maxProperties', 'fields'),
    ...(uniqueItems === true ? ['unique values'] : []),
    ...(pattern === notBlank ? ['not blank'] : []),
    ...(typeof pattern === 'string' && typeof format !== 'string' && !/^\^?\\S\+?\$?$/.test(pattern)
      ? [`matches \`${pattern}\``]
      : []),
  ];
}

/** Fields of which exactly one must be sent. */
export const exclusiveNames = ({ oneOf }: JsonSchema): string[] =>
  Array.isArray(oneOf) ? oneOf.filter(isSchema).flatMap(({ required }) => texts(required)) : [];

/** Required fields. */
export const requiredNames = ({ required }: JsonSchema): string[] => texts(required);
