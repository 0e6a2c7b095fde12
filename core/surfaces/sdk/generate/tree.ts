import { braces, documented, indented, key } from './text.js';
import type { OperationSource } from './operation.js';

interface Node {
  operation?: OperationSource;
  readonly children: Map<string, Node>;
}

/** The operations by the dots of their names. */
function grown(operations: readonly OperationSource[]): Node {
  const root: Node = { children: new Map() };
  for (const written of operations) {
    let node = root;
    for (const word of written.operation.name.split('.')) {
      const next: Node = node.children.get(word) ?? { children: new Map() };
      node.children.set(word, next);
      node = next;
    }
    node.operation = written;
  }
  return root;
}

const parametersOf = ({ prefix, isInputOptional }: OperationSource): string =>
  `(input${isInputOptional ? '?' : ''}: ${prefix}Input, options?: CallOptions)`;

const callOf = (written: OperationSource): string =>
  `${parametersOf(written)}: Promise<Open<${written.prefix}Result>>;`;

const allOf = (written: OperationSource): string =>
  documented(
    [`Every item, page by page: \`for await (const each of svc.${written.operation.name}.all()) …\``],
    `all${parametersOf(written)}: AsyncGenerator<${written.itemType}, void, undefined>;`,
  );

function memberOf(name: string, { operation, children }: Node, words: string | undefined): string {
  const members = [...children].map(([each, node]) => memberOf(each, node, undefined));
  if (!operation) return documented([words], `readonly ${key(name)}: ${braces(members)};`);
  const doc = operation.words;
  if (operation.list === undefined && members.length === 0) return documented(doc, `${key(name)}${callOf(operation)}`);
  const inside = [
    documented(doc, callOf(operation)),
    ...(operation.list === undefined ? [] : [allOf(operation)]),
    ...members,
  ];
  return documented(doc, `readonly ${key(name)}: ${braces(inside)};`);
}

/** The interface of the client's methods: `svc.email.broadcast.pause` stands where its name says. */
export function treeText(operations: readonly OperationSource[], products: ReadonlyMap<string, string>): string {
  const { children } = grown(operations);
  const members = [...children].map(([name, node]) => memberOf(name, node, products.get(name)));
  return documented(
    ['Every operation as a method, at its own name.'],
    `export interface SvcOperations ${members.length === 0 ? '{}' : `{\n  ${members.map(indented).join('\n\n  ')}\n}`}`,
  );
}
