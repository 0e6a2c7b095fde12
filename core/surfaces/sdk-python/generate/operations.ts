import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { errorTextsOf, listFieldOf, paragraphsOf, treeOf, type Node } from '../../sdk/generate/operation.js';
import { fieldNote } from '../../sdk/generate/types.js';
import { pascal } from '../../names.js';
import { pythonName, pythonOptions, takenInPython } from '../../names.js';
import type { FieldNames } from './names.js';
import { block, docstring, indented, quoted } from './text.js';
import type { TypeWriter } from './types.js';

/** They receive the types and names of all operations. */
interface Writers {
  readonly input: TypeWriter;
  readonly reply: TypeWriter;
  readonly names: FieldNames;
}

/** One argument of a method. */
interface Argument {
  readonly name: string;
  /** The interface's name. */
  readonly field: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly note: string;
}

/** What both clients need to know about an operation. */
interface Method {
  readonly operation: Operation;
  readonly args: readonly Argument[];
  /** The fields of which the caller gives exactly one; empty if there are none. */
  readonly choices: readonly string[];
  readonly result: string;
  /** The field with a list's items and their type; undefined if the operation is not a list. */
  readonly list: { readonly field: string; readonly item: string } | undefined;
  readonly doc: { readonly paragraphs: readonly string[]; readonly fields: readonly string[] };
}

/** The options of every call, as arguments. */
const optionArguments = [
  'idempotency_key: Optional[str] = None',
  'timeout: Optional[float] = None',
  'environment_id: Optional[str] = None',
  'max_age: Optional[int] = None',
];

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
const choicesOf = (input: JsonSchema): string[] =>
  Array.isArray(input['oneOf'])
    ? input['oneOf'].filter(isSchema).flatMap((each: JsonSchema) => textsIn(each['required']))
    : [];

/** Types of the module svc_sdk.types, as the modules of the clients name them. */
const qualified = (type: string, names: ReadonlySet<string>): string =>
  type.replace(/"[^"]*"|\b[A-Z]\w*\b/g, (word) => (names.has(word) ? `t.${word}` : word));

function methodOf(operation: Operation, catalogue: Catalogue, { names, ...writers }: Writers): Method {
  const { name, input, output } = operation;
  const prefix = pascal(name);
  const result = writers.reply.typeOf(output, `${prefix}Result`);
  const required = textsIn(input['required']);
  const args = Object.entries(propertiesOf(input)).map(([field, schema]) => ({
    name: names.of(field, takenInPython),
    field,
    type: writers.input.typeOf(schema, `${prefix}Input${pascal(field)}`),
    isRequired: required.includes(field),
    note: fieldNote(schema) ?? '',
  }));
  const listField = listFieldOf(operation);
  const items = listField === undefined ? undefined : propertiesOf(output)[listField]?.['items'];
  return {
    operation,
    args: [...args.filter(({ isRequired }) => isRequired), ...args.filter(({ isRequired }) => !isRequired)],
    choices: choicesOf(input),
    result,
    list:
      listField !== undefined && isSchema(items)
        ? { field: listField, item: writers.reply.typeOf(items, `${result}${pascal(listField)}Item`) }
        : undefined,
    doc: {
      paragraphs: paragraphsOf(operation),
      fields: [
        ...args.filter(({ note }) => note !== '').map((each) => `:param ${each.name}: ${each.note}`),
        ...errorTextsOf(operation, catalogue).map((text) => `:raises SvcError: ${text}`),
      ],
    },
  };
}

/** How the two clients differ. */
interface Flavour {
  readonly caller: 'Caller' | 'AsyncCaller';
  readonly root: 'Operations' | 'AsyncOperations';
  readonly define: 'def' | 'async def';
  readonly wait: '' | 'await ';
  readonly iterator: 'Iterator' | 'AsyncIterator';
  readonly loop: 'for' | 'async for';
}

const flavours: Readonly<Record<'sync' | 'async', Flavour>> = {
  sync: { caller: 'Caller', root: 'Operations', define: 'def', wait: '', iterator: 'Iterator', loop: 'for' },
  async: {
    caller: 'AsyncCaller',
    root: 'AsyncOperations',
    define: 'async def',
    wait: 'await ',
    iterator: 'AsyncIterator',
    loop: 'async for',
  },
};

/**
 * The signature of a method.
 * @param given the fields that this overload requires, of those of which the caller gives exactly one; undefined if
 *   the signature is not an overload
 */
function signature(
  define: string,
  name: string,
  { args, choices }: Method,
  type: { readonly returned: string; readonly names: ReadonlySet<string> },
  given?: string,
): string {
  const shown = args.filter(({ field }) => given === undefined || field === given || !choices.includes(field));
  const texts = shown.map((each) => {
    const own = qualified(each.type, type.names);
    return each.isRequired || each.field === given
      ? `${each.name}: ${own},`
      : `${each.name}: Union[${own}, NotGiven] = NOT_GIVEN,`;
  });
  const lines = ['self,', '*,', ...texts, ...optionArguments.map((each) => `${each},`)];
  return `${define} ${name}(\n${indented(lines.join('\n'))}\n) -> ${qualified(type.returned, type.names)}:`;
}

/** A method with its overloads. */
function methodText(
  define: string,
  name: string,
  method: Method,
  type: { readonly returned: string; readonly names: ReadonlySet<string> },
  body: { readonly doc: string; readonly statement: string },
): string {
  const overloads =
    method.choices.length < 2
      ? []
      : method.choices.map((choice) => `@overload\n${signature(define, name, method, type, choice)} ...`);
  return [...overloads, block(signature(define, name, method, type), [body.doc, body.statement])].join('\n\n');
}

/** The input as the interface has it. */
function inputText({ args }: Method, names: ReadonlySet<string>): string {
  const entries = args.map(({ name, field, type }) => {
    const own = qualified(type, names);
    return `${quoted(field)}: ${own === type ? name : `encode(${name}, ${own})`},`;
  });
  return entries.length === 0 ? '{}' : `{\n${indented(entries.join('\n'))}\n}`;
}

function callText(method: Method, name: string, flavour: Flavour, names: ReadonlySet<string>): string {
  const args = [
    quoted(method.operation.name),
    inputText(method, names),
    qualified(method.result, names),
    `Options(${pythonOptions.join(', ')})`,
  ];
  return methodText(
    flavour.define,
    name,
    method,
    { returned: method.result, names },
    {
      doc: docstring(method.doc.paragraphs, method.doc.fields),
      statement: `return ${flavour.wait}self._caller.run(\n${indented(args.map((each) => `${each},`).join('\n'))}\n)`,
    },
  );
}

function allText(method: Method, flavour: Flavour, names: ReadonlySet<string>): string {
  const { operation, list } = method;
  if (list === undefined) return '';
  const args = [
    quoted(operation.name),
    inputText(method, names),
    quoted(list.field),
    qualified(list.item, names),
    `Options(${pythonOptions.join(', ')})`,
  ];
  const path = operation.name
    .split('.')
    .map((part) => pythonName(part))
    .join('.');
  return methodText(
    'def',
    'all',
    method,
    { returned: `${flavour.iterator}[${list.item}]`, names },
    {
      doc: docstring([
        `Iterates over all items, fetching page after page: \`\`${flavour.loop} item in svc.${path}.all(): ...\`\``,
      ]),
      statement: `return self._caller.iterate(\n${indented(args.map((each) => `${each},`).join('\n'))}\n)`,
    },
  );
}

const constructor = ({ caller }: Flavour): string =>
  block(`def __init__(self, caller: ${caller}) -> None:`, ['self._caller = caller']);

/** The classes of a group and of everything in it, and the member of its parent that leads to it. */
function groupTexts(
  path: string,
  { operation: method, children }: Node<Method>,
  flavour: Flavour,
  { names, groups }: { readonly names: ReadonlySet<string>; readonly groups: ReadonlyMap<string, string> },
): { readonly classes: readonly string[]; readonly member: string } {
  const own = pythonName(path.slice(path.lastIndexOf('.') + 1), takenInPython);
  const inner = [...children].map(([part, node]) => groupTexts(`${path}.${part}`, node, flavour, { names, groups }));
  if (method && method.list === undefined && inner.length === 0)
    return { classes: [], member: callText(method, own, flavour, names) };
  const className = `${pascal(path)}${method ? 'Method' : 'Group'}`;
  const summary = docstring(method ? [method.operation.summary] : [groups.get(path) ?? '']);
  const members = [
    ...(method ? [callText(method, '__call__', flavour, names), allText(method, flavour, names)] : []),
    ...inner.map(({ member }) => member),
  ].filter((text) => text !== '');
  return {
    classes: [
      ...inner.flatMap(({ classes }) => classes),
      block(`class ${className}:`, [
        [summary, constructor(flavour)].filter((text) => text !== '').join('\n\n'),
        '',
        members.map((text) => `\n${text}`).join('\n'),
      ]),
    ],
    member: `@cached_property\n${block(`def ${own}(self) -> ${className}:`, [summary, `return ${className}(self._caller)`])}`,
  };
}

/** The module of one client. */
function clientModule(
  methods: readonly Method[],
  flavour: Flavour,
  known: { readonly names: ReadonlySet<string>; readonly groups: ReadonlyMap<string, string> },
): string {
  const parts = [...treeOf(methods).children].map(([name, node]) => groupTexts(name, node, flavour, known));
  const root = block(`class ${flavour.root}:`, [
    '"""Every operation as a method, nested by its name."""',
    `\n${constructor(flavour)}`,
    ...parts.map(({ member }) => `\n${member}`),
  ]);
  const text = [...parts.flatMap(({ classes }) => classes), root].join('\n\n\n');
  const typing = [
    'Any',
    'AsyncIterator',
    'Dict',
    'Iterator',
    'List',
    'Literal',
    'Mapping',
    'Optional',
    'Sequence',
    'Union',
    'overload',
  ];
  const code = text.replace(/"""[^]*?"""/g, '');
  const used = typing.filter((name) => new RegExp(String.raw`\b${name}\b`).test(code));
  return [
    'from __future__ import annotations',
    '',
    'from functools import cached_property',
    `from typing import ${used.join(', ')}`,
    '',
    'from . import _types_gen as t',
    `from ._call import ${flavour.caller}, Options`,
    `from ._inputs import NOT_GIVEN, NotGiven${text.includes('encode(') ? ', encode' : ''}`,
    '',
    '',
    text,
    '',
  ].join('\n');
}

/**
 * The modules with the methods of both clients.
 * @param declared the names of all types, once the operations' types are written
 */
export function clientModules(
  operations: readonly Operation[],
  catalogue: Catalogue,
  writers: Writers,
  declared: () => ReadonlySet<string>,
): { readonly sync: string; readonly async: string } {
  const methods = operations.map((each) => methodOf(each, catalogue, writers));
  const known = { names: declared(), groups: new Map([...catalogue.products, ...catalogue.groups]) };
  return {
    sync: clientModule(methods, flavours.sync, known),
    async: clientModule(methods, flavours.async, known),
  };
}
