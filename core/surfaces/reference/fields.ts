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

/** One line of a table of fields. */
export interface FieldRow {
  name: string;
  /** How deep it stands: 0 for the fields of the body itself. */
  depth: number;
  type: TypeText;
  presence: 'required' | 'optional' | 'defaulted';
  /** As JSON, where there is one. */
  fallback: string | undefined;
  bounds: readonly string[];
  values: readonly string[];
  description: string | undefined;
}

/** Deeper fields are few and say little; a schema that held itself would never end. */
const deepest = 6;

/** The objects that stand in a value without a name of their own: itself, its alternatives, the items of its list. */
function objectsIn(schema: JsonSchema): readonly JsonSchema[] {
  if (componentName(schema) !== undefined) return [];
  if (Array.isArray(schema['anyOf'])) return alternativesOf(schema).flatMap(objectsIn);
  const { items, additionalProperties } = schema;
  if (isSchema(items)) return objectsIn(items);
  if (isSchema(additionalProperties)) return objectsIn(additionalProperties);
  return Object.keys(propertiesOf(schema)).length > 0 ? [schema] : [];
}

/** Enumerated values of the value or of its list's items; those of objects inside stand with their own fields. */
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
  return [...describeBounds(schema), ...each.map((words) => `each ${words}`)];
};

/** The fields of an object, each followed by those inside it. */
export function fieldRows(schema: JsonSchema, depth = 0): FieldRow[] {
  const required = requiredNames(schema);
  return Object.entries(propertiesOf(schema)).flatMap(([name, field]) => [
    rowOf(name, field, depth, required.includes(name)),
    ...rowsInside(field, depth + 1),
  ]);
}

function rowOf(name: string, field: JsonSchema, depth: number, required: boolean): FieldRow {
  const { description } = field;
  const fallback = field['default'];
  return {
    name,
    depth,
    type: describeType(field),
    presence: required ? 'required' : fallback === undefined ? 'optional' : 'defaulted',
    fallback: fallback === undefined ? undefined : JSON.stringify(fallback),
    bounds: boundsOf(field),
    values: valuesIn(field),
    description: typeof description === 'string' ? description : undefined,
  };
}

/** Objects that are alternatives of one another stand one after the other, each under a line that says so. */
function rowsInside(field: JsonSchema, depth: number): FieldRow[] {
  const objects = depth > deepest ? [] : objectsIn(field);
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

/** What holds for an object as a whole: “exactly one of a, b”. */
export function objectRules(schema: JsonSchema): string[] {
  const names = exclusiveNames(schema);
  return [
    ...(names.length > 0 ? [`Send exactly one of ${names.map((name) => `\`${name}\``).join(', ')}.`] : []),
    ...(schema['minProperties'] === 1 ? ['Send at least one field.'] : []),
  ];
}
