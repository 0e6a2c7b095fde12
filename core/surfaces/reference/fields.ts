import { componentName, isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import {
  alternativesOf,
  describeBounds,
  exclusiveNames,
  requiredNames,
  describeType,
  valuesOf,
  type TypeText,
} from './schema-text.js';

/** One row of a table of fields. */
export interface FieldRow {
  name: string;
  /** Nesting depth: 0 for the fields of the body. */
  depth: number;
  type: TypeText;
  presence: 'required' | 'optional' | 'defaulted';
  /** The default as JSON. */
  defaultJson: string | undefined;
  bounds: readonly string[];
  values: readonly string[];
  description: string | undefined;
}

/** Ends the recursion of a schema that contains itself. */
const maxDepth = 6;

/** The unnamed objects within a value: itself, its alternatives, its items. */
function objectsIn(schema: JsonSchema): readonly JsonSchema[] {
  if (componentName(schema) !== undefined) return [];
  if (Array.isArray(schema['anyOf'])) return alternativesOf(schema).flatMap(objectsIn);
  const { items, additionalProperties } = schema;
  if (isSchema(items)) return objectsIn(items);
  if (isSchema(additionalProperties)) return objectsIn(additionalProperties);
  return Object.keys(propertiesOf(schema)).length > 0 ? [schema] : [];
}

/** Enum values of a value or its items; those of nested objects are listed with their own fields. */
function valuesIn(schema: JsonSchema): string[] {
  if (componentName(schema) !== undefined) return [];
  const { items, additionalProperties } = schema;
  return [
    ...valuesOf(schema),
    ...(Array.isArray(schema['anyOf']) ? alternativesOf(schema).flatMap(valuesIn) : []),
    ...(isSchema(items) ? valuesIn(items) : []),
    ...(isSchema(additionalProperties) ? valuesIn(additionalProperties) : []),
  ];
}

const boundsOf = (schema: JsonSchema): string[] => {
  const { items } = schema;
  const each = isSchema(items) && componentName(items) === undefined ? describeBounds(items) : [];
  return [...describeBounds(schema), ...each.map((bound) => `each ${bound}`)];
};

/** The fields of an object, each followed by its nested fields. */
export function fieldRows(schema: JsonSchema, depth = 0): FieldRow[] {
  const required = requiredNames(schema);
  return Object.entries(propertiesOf(schema)).flatMap(([name, field]) => [
    rowOf(name, field, depth, required.includes(name)),
    ...rowsInside(field, depth + 1),
  ]);
}

function rowOf(name: string, field: JsonSchema, depth: number, required: boolean): FieldRow {
  const { description } = field;
  const defaultValue = field['default'];
  return {
    name,
    depth,
    type: describeType(field),
    presence: required ? 'required' : defaultValue === undefined ? 'optional' : 'defaulted',
    defaultJson: defaultValue === undefined ? undefined : JSON.stringify(defaultValue),
    bounds: boundsOf(field),
    values: valuesIn(field),
    description: typeof description === 'string' ? description : undefined,
  };
}

/** Alternative objects follow one another, each under a row that states it. */
function rowsInside(field: JsonSchema, depth: number): FieldRow[] {
  const objects = depth > maxDepth ? [] : objectsIn(field);
  if (objects.length < 2) return objects.flatMap((each) => fieldRows(each, depth));
  return objects.flatMap((each, index) => [
    {
      ...rowOf(index === 0 ? 'either' : 'or', {}, depth, true),
      type: [`one of ${objects.length} forms`],
      description: typeof each['description'] === 'string' ? each['description'] : undefined,
    },
    ...fieldRows(each, depth + 1),
  ]);
}

/** Rules for the object as a whole: “exactly one of a, b”. */
export function objectRules(schema: JsonSchema): string[] {
  const names = exclusiveNames(schema);
  return [
    ...(names.length > 0 ? [`Send exactly one of ${names.map((name) => `\`${name}\``).join(', ')}.`] : []),
    ...(schema['minProperties'] === 1 ? ['Send at least one field.'] : []),
  ];
}
