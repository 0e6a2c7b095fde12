/*
 * Plain JSON Schema (2020-12) with its TypeScript type. One schema validates (Ajv), types handlers and clients, and
 * appears in the OpenAPI 3.1 document. With phantom types, `tsc` is four times as fast as with a schema library.
 */

declare const value: unique symbol;
declare const sent: unique symbol;

/** Marks a property that may be absent. Ajv and JSON.stringify ignore symbols. */
const absent = Symbol('absent');
/** The name of a schema among the OpenAPI components. */
const component = Symbol('component');
/** The product that a property requires. */
const product = Symbol('product');
/** The columns of a table of such objects. */
const columns = Symbol('columns');
/** The properties that an object lacks in this deployment, each with the product that it requires. */
const leftOut = Symbol('leftOut');

export type JsonSchema = Readonly<Record<string, unknown>> & {
  readonly [component]?: string;
  readonly [absent]?: true;
  readonly [product]?: string;
  readonly [columns]?: readonly string[];
  readonly [leftOut]?: Readonly<Record<string, string>>;
};

/**
 * A schema of `Value`, the type that handlers receive, and `Sent`, the type that callers send (fields with defaults are
 * optional).
 */
export type Schema<Value = unknown, Sent = Value> = JsonSchema & { readonly [value]?: Value; readonly [sent]?: Sent };
type MayBeAbsent = { readonly [absent]: true };
type HasDefault = { readonly default: unknown };

export type ValueOf<S> = S extends { readonly [value]?: infer V } ? V : never;
export type SentOf<S> = S extends { readonly [sent]?: infer V } ? V : never;

type Properties = Readonly<Record<string, Schema>>;
type Flat<T> = { [K in keyof T]: T[K] };
type AbsentKeys<P> = { [K in keyof P]: P[K] extends MayBeAbsent ? K : never }[keyof P];
type UnsentKeys<P> = { [K in keyof P]: P[K] extends MayBeAbsent | HasDefault ? K : never }[keyof P];
type ObjectValue<P> = Flat<
  { [K in Exclude<keyof P, AbsentKeys<P>>]: ValueOf<P[K]> } & { [K in AbsentKeys<P>]?: ValueOf<P[K]> }
>;
type ObjectSent<P> = Flat<
  { [K in Exclude<keyof P, UnsentKeys<P>>]: SentOf<P[K]> } & { [K in UnsentKeys<P>]?: SentOf<P[K]> }
>;

/** A property of an object, or a path to a value inside it: `counts.sent`. */
type Column<P> = (keyof P & string) | `${keyof P & string}.${string}`;

interface TextRules {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** The pattern of a text that is not blank; it has its own error message. */
export const notBlank = '\\S';

/** The pattern of a phone number, for programs that do not know its format: digits and common separators. */
export const phonePattern = '^\\+[0-9\\s()./-]{6,30}$';

const described = (description: string | undefined): JsonSchema => (description === undefined ? {} : { description });

export const text = (description?: string, rules: TextRules = {}): Schema<string> => ({
  type: 'string',
  ...rules,
  ...described(description),
});
/** A text with at least one character that is not white space, and at least `minLength` characters. */
export const filledText = (description: string, maxLength: number, minLength = 1): Schema<string> =>
  text(description, { minLength, maxLength, pattern: notBlank });
export const uuid = (description?: string): Schema<string> => ({
  type: 'string',
  format: 'uuid',
  ...described(description),
});
export const email = (description?: string): Schema<string> => ({
  type: 'string',
  format: 'email',
  maxLength: 254,
  ...described(description),
});
/** An email address, with or without a display name: `Ada <ada@example.com>`. */
export const mailbox = (description?: string): Schema<string> => ({
  type: 'string',
  format: 'mailbox',
  minLength: 3,
  maxLength: 400,
  ...described(description),
});
export const phone = (description?: string): Schema<string> => ({
  type: 'string',
  format: 'phone',
  maxLength: 32,
  pattern: phonePattern,
  ...described(description),
});

/** A day, without a time: 2026-01-31. */
export const date = (description?: string): Schema<string> => ({
  type: 'string',
  format: 'date',
  ...described(description),
});

export const dateTime = (description?: string): Schema<string> => ({
  type: 'string',
  format: 'date-time',
  ...described(description),
});
export const url = (description?: string, rules: TextRules = {}): Schema<string> => ({
  type: 'string',
  format: 'uri',
  maxLength: 2048,
  ...rules,
  ...described(description),
});
export const boolean = (description?: string): Schema<boolean> => ({ type: 'boolean', ...described(description) });
/** A switch that can only be set: `allOthers: true`. */
export const onlyTrue = (description: string): Schema<true> => ({ type: 'boolean', const: true, description });
export const integer = (description?: string, rules: { minimum?: number; maximum?: number } = {}): Schema<number> => ({
  type: 'integer',
  ...rules,
  ...described(description),
});
export const number = (description?: string): Schema<number> => ({ type: 'number', ...described(description) });
export const count = (description?: string): Schema<number> => integer(description, { minimum: 0 });

export const oneOf = <const V extends readonly string[]>(values: V, description?: string): Schema<V[number]> => ({
  type: 'string',
  enum: values,
  ...described(description),
});

export const list = <V, S>(
  items: Schema<V, S>,
  description?: string,
  rules: { minItems?: number; maxItems?: number; uniqueItems?: boolean } = {},
): Schema<V[], S[]> => ({ type: 'array', items, ...rules, ...described(description) });

/** An object whose names the caller chooses. */
export const map = <V>(
  values: Schema<V>,
  description?: string,
  rules: { minProperties?: number; maxProperties?: number; propertyNames?: JsonSchema } = {},
): Schema<Record<string, V>> => ({ type: 'object', additionalProperties: values, ...rules, ...described(description) });

/** Any JSON value. */
export const anything = (description?: string): Schema => described(description);

/**
 * An object with exactly these properties; unknown ones are rejected.
 * @param options `columns`: the properties that people look for in a list of such objects, most important first. A
 *   table shows them in this order. `unknownIgnored`: for objects that other programs make, such as browsers, and which
 *   get more properties over time.
 */
export function object<const P extends Properties>(
  properties: P,
  options: {
    description?: string;
    minProperties?: number;
    exactlyOneOf?: readonly (keyof P & string)[];
    columns?: readonly Column<P>[];
    unknownIgnored?: true;
  } = {},
): Schema<ObjectValue<P>, ObjectSent<P>> {
  const { exactlyOneOf, description, columns: shown, unknownIgnored = false, ...rules } = options;
  const required = Object.entries(properties)
    .filter(([, schema]) => schema[absent] !== true && !('default' in schema))
    .map(([name]) => name);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(unknownIgnored ? {} : { additionalProperties: false }),
    ...(exactlyOneOf ? { oneOf: exactlyOneOf.map((name) => ({ required: [name] })) } : {}),
    ...rules,
    ...described(description),
    ...(shown ? { [columns]: shown } : {}),
  };
}

/** The property may be absent. */
export const optional = <V, S>(schema: Schema<V, S>): Schema<V, S> & MayBeAbsent => ({ ...schema, [absent]: true });

/**
 * The property may be absent. In deployments without the product it is unknown, so it is rejected instead of ignored.
 */
export const optionalWith = <V, S>(name: string, schema: Schema<V, S>): Schema<V, S> & MayBeAbsent => ({
  ...optional(schema),
  [product]: name,
});

/**
 * The field of every update operation that prevents overwriting what somebody else has saved in the meantime:
 * `requireUnchanged` (core/kernel/audit/unchanged.ts) checks it, and `defineOperation` adds its error.
 */
export const ifUnchangedSince = optional(
  dateTime(
    'The `updatedAt` that you have read. If it has changed since, nothing is saved, and changed_meanwhile names who changed it.',
  ),
);

/** The property may be absent; it then has this value. */
export const withDefault = <V, S>(schema: Schema<V, S>, fallback: NoInfer<V>): Schema<V, S> & HasDefault => ({
  ...schema,
  default: fallback,
});

/** The value or null. */
export function nullable<V, S>(schema: Schema<V, S>): Schema<V | null, S | null> {
  const { type } = schema;
  if (typeof type !== 'string' || schema[component] !== undefined || type === 'object') {
    return { anyOf: [schema, { type: 'null' }] };
  }
  const values: unknown = schema['enum'];
  return { ...schema, type: [type, 'null'], ...(isList(values) ? { enum: [...values, null] } : {}) };
}

const isList = (candidate: unknown): candidate is readonly unknown[] => Array.isArray(candidate);

/** Either of two shapes. */
export const either = <A, SA, B, SB>(
  a: Schema<A, SA>,
  b: Schema<B, SB>,
  description?: string,
): Schema<A | B, SA | SB> => ({
  anyOf: [a, b],
  ...described(description),
});

/** A resource: a named component that the OpenAPI document references wherever it is used. */
export const named = <V, S>(name: string, schema: Schema<V, S>): Schema<V, S> => ({ ...schema, [component]: name });

/** The product that a property requires, if any. */
export const productOf = (schema: JsonSchema): string | undefined => schema[product];

/**
 * An object schema with these properties; `products` has the product of each property that this deployment does not
 * have.
 */
export const withProperties = (
  schema: JsonSchema,
  properties: Readonly<Record<string, JsonSchema>>,
  products: Readonly<Record<string, string>>,
): JsonSchema => ({ ...schema, properties, [leftOut]: products });

/** The product that a property requires and that this deployment does not have; undefined for any other name. */
export const productOfLeftOut = (schema: JsonSchema, name: string): string | undefined => {
  const products = schema[leftOut] ?? {};
  return Object.hasOwn(products, name) ? products[name] : undefined;
};

/** The columns that an object schema names for tables, if any. */
export const columnsOf = (schema: JsonSchema): readonly string[] | undefined => schema[columns];

/** The component name of a schema, if any. */
export const componentName = (schema: JsonSchema): string | undefined => schema[component];

/** The properties of an object schema; empty for any other. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties } = schema;
  return isSchemaMap(properties) ? properties : {};
}

const isSchemaMap = (candidate: unknown): candidate is Readonly<Record<string, JsonSchema>> =>
  typeof candidate === 'object' && candidate !== null;

/** Whether this value is a schema. */
export const isSchema = (candidate: unknown): candidate is JsonSchema =>
  typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate);
