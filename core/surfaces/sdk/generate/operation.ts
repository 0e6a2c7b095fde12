import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { permissionOf, type Operation } from '#core/kernel/operation.js';
import { componentName, isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { ageText } from '../../answer-age.js';
import { pascal } from '../../names.js';
import { documented, quoted, braces, indented, key } from './text.js';
import type { TypeWriter } from './types.js';

/** The generated source of one operation. */
export interface OperationSource {
  readonly operation: Operation;
  /** The prefix of its type names: `EmailSend` for EmailSendInput, EmailSendResult and EmailSendCode. */
  readonly prefix: string;
  /** Whether all fields of the input are optional, and so the input itself. */
  readonly isInputOptional: boolean;
  /** The field of the reply that holds the page's items; undefined if the operation is not a list. */
  readonly list: string | undefined;
  /** Declarations of its types. */
  readonly declarations: readonly string[];
  readonly itemType: string;
  /** The lines of its docstring. */
  readonly docLines: readonly string[];
}

/**
 * The field with a list's items: the only array next to `nextBefore` (docs/interface.md, Calls 6).
 * @returns undefined if the operation is not a list
 */
export function listFieldOf({ input, output }: Operation): string | undefined {
  const reply = propertiesOf(output);
  if (!('before' in propertiesOf(input)) || !('nextBefore' in reply)) return undefined;
  const arrays = Object.keys(reply).filter((name) => reply[name]?.['type'] === 'array');
  return arrays.length === 1 ? arrays[0] : undefined;
}

const declaration = (name: string, body: string): string =>
  body.startsWith('{') ? `export interface ${name} ${body}` : `export type ${name} = ${body};`;

const typeBody = (writer: TypeWriter, schema: JsonSchema): string =>
  componentName(schema) === undefined ? writer.bodyOf(schema) : writer.typeOf(schema);

const impactText = ({ impact }: Operation): string | undefined => {
  const labels = [
    impact.read ? 'reads only' : impact.retrySafe ? 'safe to repeat' : undefined,
    impact.destructive ? 'destructive' : undefined,
    impact.billable ? 'billable' : undefined,
  ].filter((label) => label !== undefined);
  return labels.length === 0 ? undefined : `Impact: ${labels.join(', ')}.`;
};

const accessTexts: Readonly<Record<Operation['access'], string>> = {
  secret: 'a secret key',
  publishable: 'a publishable key',
  user: 'a publishable key, and the user’s access token',
  public: 'no key',
  operator: 'an owner’s secret key of the deployment’s own account',
};

/** The paragraphs of an operation's docstring: its summary, its description, and what it needs. */
export function paragraphsOf(operation: Operation): string[] {
  const permission = permissionOf(operation);
  const age = ageText(operation);
  const facts = [
    `Needs ${accessTexts[operation.access]}${permission === null ? '' : ` with \`${permission}\``}.`,
    impactText(operation),
  ];
  return [
    operation.summary,
    ...(operation.description === undefined ? [] : [operation.description]),
    ...(age === undefined ? [] : [age]),
    facts.filter((fact) => fact !== undefined).join(' '),
  ];
}

/** The errors that an operation declares, each as “`code` (409): message”. */
export const errorTextsOf = (operation: Operation, { errors }: Pick<Catalogue, 'errors'>): string[] =>
  operation.errors.map((code) => {
    const { status = 500, message = '' } = errors[code] ?? {};
    return `\`${code}\` (${status}): ${message}`;
  });

/**
 * Generates the source of one operation.
 * @param shared codes that every operation can return; the operation's own union leaves them out
 */
export function operationSource(
  operation: Operation,
  catalogue: Catalogue,
  writers: { readonly input: TypeWriter; readonly reply: TypeWriter },
  shared: ReadonlySet<string>,
): OperationSource {
  const prefix = pascal(operation.name);
  const { input, output } = operation;
  const list = listFieldOf(operation);
  const items = list === undefined ? undefined : propertiesOf(output)[list]?.['items'];
  const codes = catalogue.codesOf(operation).filter((code) => !shared.has(code));
  const { required } = input;
  return {
    operation,
    prefix,
    isInputOptional: input['oneOf'] === undefined && !(Array.isArray(required) && required.length > 0),
    list,
    declarations: [
      documented([`Input of \`${operation.name}\`.`], declaration(`${prefix}Input`, typeBody(writers.input, input))),
      documented([`Result of \`${operation.name}\`.`], declaration(`${prefix}Result`, typeBody(writers.reply, output))),
      documented(
        [`Codes that \`${operation.name}\` can return.`],
        `export type ${prefix}Code = ${['CommonCode', ...codes.map(quoted)].join(' | ')};`,
      ),
    ],
    itemType: isSchema(items) ? writers.reply.typeOf(items) : 'never',
    docLines: [
      ...paragraphsOf(operation),
      ...errorTextsOf(operation, catalogue).map((text) => `@throws SvcError ${text}`),
    ],
  };
}

/** A group of operations, or an operation, or both. */
export interface Node<Source> {
  operation?: Source;
  readonly children: Map<string, Node<Source>>;
}

/** Builds a tree of the operations from their dotted names. */
export function treeOf<Source extends { readonly operation: Operation }>(operations: readonly Source[]): Node<Source> {
  const root: Node<Source> = { children: new Map() };
  for (const source of operations) {
    let node = root;
    for (const part of source.operation.name.split('.')) {
      const next: Node<Source> = node.children.get(part) ?? { children: new Map() };
      node.children.set(part, next);
      node = next;
    }
    node.operation = source;
  }
  return root;
}

const parametersOf = ({ prefix, isInputOptional }: OperationSource): string =>
  `(input${isInputOptional ? '?' : ''}: ${prefix}Input, options?: CallOptions)`;

const callOf = (source: OperationSource): string => `${parametersOf(source)}: Promise<${source.prefix}Result>;`;

const allOf = (source: OperationSource): string =>
  documented(
    [
      `Iterates over all items, fetching page after page: \`for await (const item of svc.${source.operation.name}.all()) …\``,
    ],
    `all${parametersOf(source)}: AsyncGenerator<${source.itemType}, void, undefined>;`,
  );

/** @param path the operation's or group's whole name: `email.message` */
function memberOf(
  path: string,
  { operation, children }: Node<OperationSource>,
  groups: ReadonlyMap<string, string>,
): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const members = [...children].map(([each, node]) => memberOf(`${path}.${each}`, node, groups));
  if (!operation) return documented([groups.get(path)], `readonly ${key(name)}: ${braces(members)};`);
  const doc = operation.docLines;
  if (operation.list === undefined && members.length === 0) return documented(doc, `${key(name)}${callOf(operation)}`);
  const overloads = [
    documented(doc, callOf(operation)),
    ...(operation.list === undefined ? [] : [allOf(operation)]),
    ...members,
  ];
  return documented(doc, `readonly ${key(name)}: ${braces(overloads)};`);
}

/** The interface of the client's methods, nested by operation name: `svc.email.broadcast.pause`. */
export function treeText(operations: readonly OperationSource[], groups: ReadonlyMap<string, string>): string {
  const { children } = treeOf(operations);
  const members = [...children].map(([name, node]) => memberOf(name, node, groups));
  return documented(
    ['Every operation as a method, nested by its name.'],
    `export interface SvcOperations ${members.length === 0 ? '{}' : `{\n  ${members.map(indented).join('\n\n  ')}\n}`}`,
  );
}
