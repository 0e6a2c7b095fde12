import type { Command } from 'commander';
import { kebab, wordsOf, type CliCatalogue, type CliOperation } from './catalogue.js';
import type { Part } from './dotted.js';
import { exampleCommand } from './example.js';
import { addFlags, flaglessFields } from './flags.js';
import { ownOptions } from './options.js';

/** The operations as a tree: a node is a group, an operation, or both. */
export interface Node {
  readonly word: string;
  readonly children: Map<string, Node>;
  operation?: CliOperation;
}

export function treeOf({ operations }: CliCatalogue): Node {
  const root: Node = { word: '', children: new Map() };
  for (const operation of operations) {
    let node = root;
    for (const word of wordsOf(operation.name)) {
      const next: Node = node.children.get(word) ?? { word, children: new Map() };
      node.children.set(word, next);
      node = next;
    }
    node.operation = operation;
  }
  return root;
}

/** The operation that the words name, for reading flags before the commands are built. */
export function operationAt(root: Node, words: readonly string[]): CliOperation | undefined {
  let node = root;
  for (const word of words) node = node.children.get(word) ?? node;
  return node.operation;
}

/** Everything below a node, for its examples. */
export const operationsIn = (node: Node): CliOperation[] => [
  ...(node.operation ? [node.operation] : []),
  ...[...node.children.values()].flatMap(operationsIn),
];

export interface Building {
  readonly catalogue: CliCatalogue;
  /** The words of this call: only the commands that they name are built whole, the others are lines of a help text. */
  readonly words: readonly string[];
  readonly parts: readonly Part[];
}

/** Hangs a node's children under a command. */
export function addCommands(parent: Command, node: Node, building: Building): void {
  for (const child of node.children.values()) {
    const command = parent.command(child.word).copyInheritedSettings(parent).helpCommand(false);
    command.summary(summaryOf(child, building.catalogue));
    command.description(child.operation ? descriptionOf(child.operation) : summaryOf(child, building.catalogue));
    command.usage(child.children.size > 0 ? '<command> [flags]' : '[flags]');
    if (!building.words.includes(child.word)) continue;
    addCommands(command, child, building);
    if (child.operation) addOperation(command, child.operation, building.parts);
    else command.addHelpText('after', examplesOf(mildestFirst(operationsIn(child)).slice(0, 3).map(exampleCommand)));
  }
}

/** Nobody should meet a product by its destructive commands, nor by its remotest. */
const mildestFirst = (operations: readonly CliOperation[]): CliOperation[] => {
  const rank = ({ name, destructive }: CliOperation): number => (destructive ? 100 : 0) + name.split('.').length;
  return [...operations].sort((a, b) => rank(a) - rank(b));
};

/** A help text's last block. */
export const examplesOf = (lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;

function summaryOf({ word, children, operation }: Node, { products }: CliCatalogue): string {
  return operation?.summary ?? products[word] ?? [...children.keys()].join(', ');
}

const descriptionOf = ({ name, summary, description, access, destructive }: CliOperation): string =>
  [
    summary,
    ...(description === undefined ? [] : [description]),
    `(${name}${access === 'public' ? '; needs no key' : ''}${destructive ? '; destructive: it asks first' : ''})`,
  ].join('\n');

function addOperation(command: Command, operation: CliOperation, parts: readonly Part[]): void {
  const textsOf = addFlags(command, operation);
  command.option(
    '--input <file>',
    'the input as a JSON file, - for standard input; flags go over it, and take their values from files too: @path, @- (@@x is the text @x)',
  );
  if (!operation.read)
    command.option(
      '--idempotency-key <key>',
      `makes a repeat safe${operation.retrySafe ? '' : ' (a random one where none is given)'}`,
    );
  if (operation.pages) command.option('--all', 'every page');
  command.allowExcessArguments(false);
  const flagless = flaglessFields(operation);
  const example = exampleCommand(operation);
  command.addHelpText(
    'after',
    [
      ...(flagless.length > 0
        ? [`\nFurther fields: ${flagless.map((name) => `--input.${kebab(name)}=…`).join(' ')}`]
        : []),
      examplesOf([
        example,
        ...(Object.keys(operation.input).length > 0
          ? [`svc ${wordsOf(operation.name).join(' ')} --input input.json --json`]
          : []),
      ]),
    ].join('\n'),
  );
  command.action(async () => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    const own = ownOptions(options);
    // What calls a server is loaded by the commands that call one: a help text must be there at once.
    const { runOperation } = await import('./run.js');
    await runOperation(operation, { file: own.input, texts: textsOf(options), parts }, own);
  });
}
