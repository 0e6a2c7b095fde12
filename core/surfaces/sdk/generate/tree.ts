import { braces, documented, indented, key } from './text.js';
import type { OperationSource } from './operation.js';

interface Node {
  operation?: OperationSource;
  readonly children: Map<string, Node>;
}

/** Builds a tree of the operations from their dotted names. */
function treeOf(operations: readonly OperationSource[]): Node {
  const root: Node = { children: new Map() };
  for (const source of operations) {
    let node = root;
    for (const part of source.operation.name.split('.')) {
      const next: Node = node.children.get(part) ?? { children: new Map() };
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
function memberOf(path: string, { operation, children }: Node, groups: ReadonlyMap<string, string>): string {
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
