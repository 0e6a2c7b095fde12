import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { fieldNote } from '../../sdk/generate/types.js';
import { componentNameOn, type Side } from '../../component-names.js';
import { goName } from '../../names.js';
import { block, comment, constants, documented, quoted } from './text.js';

/**
 * Writes schemas as Go types. Absent fields of replies, and null, are nil. Inputs say whether a field is left out: see
 * `inputField`.
 */
export interface TypeWriter {
  /** The type of a value that may be null. @param path the name of the type if the value is an object without a name */
  typeOf(schema: JsonSchema, path: string): string;
  /** Declares a struct with this name, unless the schema's own name is declared instead. */
  declare(name: string, schema: JsonSchema, doc?: StructDoc): string;
  /** Declarations of the named types written so far, by name, with their methods and constants. */
  readonly declarations: ReadonlyMap<string, string>;
  /** The types of the fields of each struct written so far, by the interface's names. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface StructDoc {
  readonly paragraphs: readonly string[];
  /** Members after the fields. */
  readonly members?: readonly string[];
}

/** A type in Go. */
interface GoType {
  readonly text: string;
  readonly isNullable: boolean;
  /** Whether nil is among its values, so that null needs no pointer. */
  readonly hasNil: boolean;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const schemasIn = (value: unknown): JsonSchema[] => (isList(value) ? value.filter(isSchema) : []);
const textsIn = (value: unknown): string[] => (isList(value) ? value.filter(isText) : []);

const isFreeMap = (schema: JsonSchema): boolean => schema['type'] === 'object' && schema['properties'] === undefined;
const isObject = (schema: JsonSchema): boolean => schema['properties'] !== undefined;
const isNull = (schema: JsonSchema): boolean => schema['type'] === 'null';

const plain = (text: string): GoType => ({ text, isNullable: false, hasNil: false });
const withNil = (text: string): GoType => ({ text, isNullable: false, hasNil: true });
const nullable = (type: GoType): GoType => ({ ...type, isNullable: true });

/** The type with nil for null. */
const pointerTo = ({ text, hasNil }: GoType): string => (hasNil ? text : `*${text}`);
const inPlace = (type: GoType): string => (type.isNullable ? pointerTo(type) : type.text);

const scalar = (type: unknown, format: unknown): GoType => {
  switch (type) {
    case 'string':
      return plain(format === 'date-time' ? 'Timestamp' : 'string');
    case 'integer':
      return plain('int64');
    case 'number':
      return plain('float64');
    case 'boolean':
      return plain('bool');
    default:
      return withNil('any');
  }
};

function literalType(values: readonly unknown[]): GoType {
  if (values.every(isText)) return plain('string');
  return values.every((value) => typeof value === 'boolean') ? plain('bool') : withNil('any');
}

/** A field's description; that of its only form if it has none and may be null. */
function noteOf(schema: JsonSchema): string {
  const [form, ...others] = schemasIn(schema['anyOf']).filter((each) => !isNull(each));
  return fieldNote(schema) || (form && others.length === 0 ? noteOf(form) : '');
}

/** The texts that a field, or each of its items, may have; undefined if it may have others. */
function choicesOf(schema: JsonSchema): string[] | undefined {
  const values = schema['enum'];
  const items = schema['items'];
  if (isList(values)) return textsIn(values);
  return isSchema(items) ? choicesOf(items) : undefined;
}

/** A field of an input's struct, and the statements that write it to the JSON of the input. */
function inputField(field: string, type: GoType, isRequired: boolean): { type: string; write: string } {
  const name = `in.${goName(field)}`;
  const add = (value: string): string => `o.add(${quoted(field)}, ${value})`;
  if (isRequired && !type.isNullable && type.text.startsWith('[]'))
    return { type: type.text, write: add(`notNil(${name})`) };
  if (isRequired) return { type: inPlace(type), write: add(name) };
  if (type.isNullable) return { type: `Nullable[${type.text}]`, write: block(`if ${name}.IsSet()`, add(name)) };
  return { type: pointerTo(type), write: block(`if ${name} != nil`, add(name)) };
}

/**
 * Creates a writer.
 * @param side whether the types are for inputs or replies
 * @param aliases named types that are declared elsewhere
 */
export function typeWriter(side: Side, aliases: readonly string[] = []): TypeWriter {
  const declarations = new Map<string, string>();
  const schemas = new Map<string, JsonSchema>();
  const fieldTypes = new Map<string, ReadonlyMap<string, string>>();

  function unionOf(alternatives: readonly JsonSchema[], path: string): GoType {
    const others = alternatives.filter((each) => !isNull(each));
    if (others.length < alternatives.length) return nullable(unionOf(others, path));
    // A row may be anything, so that the server can reject that row alone. Callers send an object of the other form.
    const shown = others.some(isObject) ? others.filter((each) => !isFreeMap(each)) : others;
    // They would be one struct by their place. A struct with the fields of all could not say which belong together.
    const unnamed = shown.filter((each) => isObject(each) && componentNameOn(side, each) === undefined);
    if (new Set(unnamed.map((each) => JSON.stringify(each))).size > 1) return withNil('any');
    const types = shown.map((each) => goType(each, path));
    const [first = withNil('any')] = types;
    const texts = types.map(({ text }) => text).join(' ');
    const union = texts === 'string []string' ? withNil('Strings') : withNil('any');
    const type = types.every(({ text }) => text === first.text) ? first : union;
    return types.some(({ isNullable }) => isNullable) ? nullable(type) : type;
  }

  function goType(schema: JsonSchema, path: string): GoType {
    const { anyOf, oneOf, type, items, additionalProperties, format } = schema;
    const values: unknown = schema['enum'];
    if (isObject(schema)) return plain(declare(path, schema));
    if ('const' in schema) return literalType([schema['const']]);
    if (isList(values)) {
      const others = values.filter((value) => value !== null);
      return others.length < values.length ? nullable(literalType(others)) : literalType(others);
    }
    if (isList(type)) {
      const others = type.filter((each) => each !== 'null');
      const one = others.length === 1 ? goType({ ...schema, type: others[0] }, path) : withNil('any');
      return others.length < type.length ? nullable(one) : one;
    }
    const alternatives = schemasIn(anyOf ?? oneOf);
    if (alternatives.length > 0) return unionOf(alternatives, path);
    if (type === 'array') return withNil(`[]${isSchema(items) ? typeOf(items, `${path}Item`) : 'any'}`);
    if (type === 'object')
      return withNil(
        `map[string]${isSchema(additionalProperties) && Object.keys(additionalProperties).length > 0 ? typeOf(additionalProperties, `${path}Value`) : 'any'}`,
      );
    return scalar(type, format);
  }

  const typeOf = (schema: JsonSchema, path: string): string => inPlace(goType(schema, path));

  function declare(path: string, schema: JsonSchema, doc?: StructDoc): string {
    const ownName = componentNameOn(side, schema);
    const name = goName(ownName ?? path);
    if (aliases.includes(name)) return name;
    const known = schemas.get(name);
    if (known === undefined) write(name, schema, doc ?? { paragraphs: [docOf(name, schema, ownName !== undefined)] });
    else if (known !== schema && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`In Go, two schemas are named ${name} but differ.`);
    return name;
  }

  /** @throws Error when two fields have the same name */
  function write(name: string, schema: JsonSchema, doc: StructDoc): void {
    // Registered before it is visited, so that a schema may contain itself.
    schemas.set(name, schema);
    declarations.set(name, '');
    const required = textsIn(schema['required']);
    const fields = Object.entries(propertiesOf(schema)).map(([field, each]) => {
      // A field with a default is always present in a reply, and optional in an input.
      const isPresent = required.includes(field) || (side === 'reply' && 'default' in each);
      const type = goType(each, `${name}${goName(field)}`);
      const input = inputField(field, type, isPresent);
      const own = side === 'input' ? input.type : isPresent ? inPlace(type) : pointerTo(type);
      const tag = `\`json:"${field}${side === 'reply' && !isPresent ? ',omitempty' : ''}"\``;
      return {
        field,
        type: own,
        name: goName(field),
        text: documented(comment([noteOf(each)]), `${goName(field)} ${own} ${tag}`),
        write: input.write,
        choices: choicesOf(each),
      };
    });
    fieldTypes.set(name, new Map(fields.map((each) => [each.field, each.type])));
    const names = fields.map((field) => field.name);
    const doubled = names.find((each, index) => names.indexOf(each) !== index);
    if (doubled !== undefined) throw new Error(`In Go, two fields of ${name} would be named ${doubled}.`);
    const members = [...fields.map(({ text }) => text), ...(doc.members ?? [])].join('\n\n');
    const texts = [documented(comment(doc.paragraphs), block(`type ${name} struct`, members))];
    if (side === 'input')
      texts.push(
        documented(
          comment(['MarshalJSON leaves out the fields that are not set.']),
          block(
            `func (in ${name}) MarshalJSON() ([]byte, error)`,
            ['var o object', ...fields.map((field) => field.write), 'return o.bytes()'].join('\n'),
          ),
        ),
      );
    for (const field of fields) {
      const choices = field.choices ?? [];
      if (choices.length === 0) continue;
      const newer = side === 'reply' ? ' Newer servers may send others.' : '';
      texts.push(
        constants(
          comment([`Values of ${name}.${field.name}.${newer}`]),
          new Map(choices.map((choice) => [`${name}${field.name}${goName(choice)}`, choice])),
        ),
      );
    }
    declarations.set(name, texts.join('\n\n'));
  }

  return { typeOf, declare, declarations, fields: fieldTypes };
}

function docOf(name: string, schema: JsonSchema, isComponent: boolean): string {
  const { description } = schema;
  const text = isText(description) ? ` ${description}` : '';
  return `${name} is ${isComponent ? 'a type' : 'a part'} of the interface.${text}`;
}
