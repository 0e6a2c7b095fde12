import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { fieldNote } from '../../sdk/generate/types.js';
import { componentNameOn, type Side } from '../../component-names.js';
import { pascal } from '../../names.js';
import type { FieldNames } from './names.js';
import { block, docstring, quoted } from './text.js';

/**
 * Writes schemas as Python types. Objects of inputs are TypedDicts: an unknown key is an error of the type checker.
 * Objects of replies are classes derived from Record, with an attribute for each field of this version.
 */
export interface TypeWriter {
  /** The type of a value. @param path the name of the type if the value is an object whose schema has no name */
  typeOf(schema: JsonSchema, path: string): string;
  /** Declares a class with this name, derived from `base`, unless the schema's own name is declared instead. */
  declare(name: string, schema: JsonSchema, summary?: string, base?: string): void;
  /** Declarations of the named types written so far, by name. */
  readonly declarations: ReadonlyMap<string, string>;
}

/** Attributes of the base class of replies. */
const recordNames = ['to_dict'];

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const schemasIn = (value: unknown): JsonSchema[] => (isList(value) ? value.filter(isSchema) : []);
const textsIn = (value: unknown): string[] => (isList(value) ? value.filter(isText) : []);

const typeNames: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const literal = (value: unknown): string =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

/** A union in the notation of Python 3.9. */
function unionOf(types: readonly string[]): string {
  const members = [...new Set(types)];
  const others = members.filter((type) => type !== 'None');
  if (others.length === 0) return 'None';
  const union = others.length === 1 ? (others[0] ?? 'None') : `Union[${others.join(', ')}]`;
  return others.length === members.length ? union : `Optional[${union}]`;
}

const isFreeMap = (schema: JsonSchema): boolean => schema['type'] === 'object' && schema['properties'] === undefined;
const isObject = (schema: JsonSchema): boolean => schema['properties'] !== undefined;

/**
 * Creates a writer.
 * @param side whether the types are for inputs or replies
 * @param aliases named types that are declared elsewhere
 */
export function typeWriter(side: Side, names: FieldNames, aliases: readonly string[] = []): TypeWriter {
  const declarations = new Map<string, string>();
  const schemas = new Map<string, JsonSchema>();
  const taken = side === 'reply' ? recordNames : [];
  const [listType, mapType] = side === 'input' ? ['Sequence', 'Mapping'] : ['List', 'Dict'];

  /** The members of a value's type, if that is a union; otherwise the type alone. */
  function membersOf(schema: JsonSchema, path: string): string[] {
    const { anyOf, oneOf, type, items, additionalProperties } = schema;
    const values: unknown = schema['enum'];
    if (isObject(schema)) {
      const name = componentNameOn(side, schema) ?? path;
      if (!aliases.includes(name)) declare(name, schema);
      return [name];
    }
    if ('const' in schema) return [`Literal[${literal(schema['const'])}]`];
    if (isList(values)) {
      const literals = values.filter((value) => value !== null).map(literal);
      return [`Literal[${literals.join(', ')}]`, ...(values.includes(null) ? ['None'] : [])];
    }
    if (isList(type))
      return type.flatMap((each) => membersOf(each === 'null' ? { type: each } : { ...schema, type: each }, path));
    const alternatives = schemasIn(anyOf ?? oneOf);
    if (alternatives.length > 0) {
      // A row may be anything, so that the server can reject that row alone. Callers send an object of the other form.
      const shown = alternatives.some(isObject) ? alternatives.filter((each) => !isFreeMap(each)) : alternatives;
      return shown.flatMap((each) => membersOf(each, path));
    }
    if (type === 'array') return [`${listType}[${isSchema(items) ? typeOf(items, `${path}Item`) : 'Any'}]`];
    if (type === 'object')
      return [
        `${mapType}[str, ${isSchema(additionalProperties) ? typeOf(additionalProperties, `${path}Value`) : 'Any'}]`,
      ];
    return [isText(type) ? (typeNames[type] ?? 'Any') : 'Any'];
  }

  const typeOf = (schema: JsonSchema, path: string): string => unionOf(membersOf(schema, path));

  /** @throws Error when two different schemas have the same name */
  function declare(name: string, schema: JsonSchema, summary?: string, base = 'Record'): void {
    const known = schemas.get(name);
    if (known !== undefined) {
      if (known !== schema && JSON.stringify(known) !== JSON.stringify(schema))
        throw new Error(`Two schemas are named ${name} but differ.`);
      return;
    }
    // Registered before it is visited, so that a schema may contain itself.
    schemas.set(name, schema);
    declarations.set(name, '');
    const required = textsIn(schema['required']);
    const fields = Object.entries(propertiesOf(schema)).map(([field, each]) => {
      // A field with a default is always present in a reply, and optional in an input.
      const isPresent = required.includes(field) || (side === 'reply' && 'default' in each);
      const members = membersOf(each, `${name}${pascal(field)}`);
      // An absent field of a reply is None.
      const type = unionOf(isPresent || side === 'input' ? members : [...members, 'None']);
      const text = `${names.of(field, taken)}: ${type}`;
      const note = docstring([fieldNote(each) ?? '']);
      return { isPresent, text: note === '' ? text : `${text}\n${note}` };
    });
    const doc = docstring([summary ?? (isText(schema['description']) ? schema['description'] : '')]);
    const texts = fields.map(({ text }) => text);
    if (side === 'reply') {
      declarations.set(name, block(`class ${name}(${base}):`, [doc, ...texts]));
      return;
    }
    const always = fields.filter(({ isPresent }) => isPresent).map(({ text }) => text);
    const sometimes = fields.filter(({ isPresent }) => !isPresent).map(({ text }) => text);
    if (always.length === 0) declarations.set(name, block(`class ${name}(TypedDict, total=False):`, [doc, ...texts]));
    else if (sometimes.length === 0) declarations.set(name, block(`class ${name}(TypedDict):`, [doc, ...texts]));
    // NotRequired needs Python 3.11.
    else
      declarations.set(
        name,
        [
          block(`class _${name}Required(TypedDict):`, always),
          block(`class ${name}(_${name}Required, total=False):`, [doc, ...sometimes]),
        ].join('\n\n\n'),
      );
  }

  return { typeOf, declare, declarations };
}

/** A literal type of names. */
export const literalType = (names: readonly string[]): string =>
  `Literal[\n    ${names.map(quoted).join(',\n    ')},\n]`;
