import { Option, type Command } from 'commander';
import {
  followUpOf,
  isWatchable,
  operandOf,
  takesFiles,
  takesImages,
  type CliCatalogue,
  type CliOperation,
} from './command-catalogue.js';
import { kebab, commandPath } from '../names.js';
import type { Part } from './input/dotted.js';
import { exampleCommand } from './example.js';
import { addFlags, collect, flaglessFields } from './input/flags.js';
import { ownOptions } from './options.js';

/** The tree of commands. A node is a group, an operation, or both. */
export interface Node {
  readonly word: string;
  /** The operation or group: `email.message`. */
  readonly name: string;
  readonly children: Map<string, Node>;
  operation?: CliOperation;
}

export function treeOf({ operations }: CliCatalogue): Node {
  const root: Node = { word: '', name: '', children: new Map() };
  for (const operation of operations) {
    let node = root;
    const parts = operation.name.split('.');
    for (const [index, word] of commandPath(operation.name).entries()) {
      const name = parts.slice(0, index + 1).join('.');
      const next: Node = node.children.get(word) ?? { word, name, children: new Map() };
      node.children.set(word, next);
      node = next;
    }
    node.operation = operation;
  }
  return root;
}

/** The operation that the arguments name; needed to read flags before the commands are built. */
export function operationAt(root: Node, args: readonly string[]): CliOperation | undefined {
  let node = root;
  for (const word of args) node = node.children.get(word) ?? node;
  return node.operation;
}

/** The operations at and below a node. */
const operationsIn = (node: Node): CliOperation[] => [
  ...(node.operation ? [node.operation] : []),
  ...[...node.children.values()].flatMap(operationsIn),
];

interface Building {
  readonly catalogue: CliCatalogue;
  /** The arguments of this call. Only commands that they name get flags; the others appear as lines of help. */
  readonly args: readonly string[];
  readonly parts: readonly Part[];
  /** The server's products, if they are known. */
  readonly products?: readonly string[] | undefined;
}

/** Adds a node's children as subcommands. */
export function addCommands(parent: Command, node: Node, building: Building): void {
  for (const child of node.children.values()) {
    const command = parent.command(child.word).copyInheritedSettings(parent).helpCommand(false);
    const summary = `${isOff(child, building) ? 'Off on this server. ' : ''}${summaryOf(child, building.catalogue)}`;
    command.summary(summary);
    command.description(child.operation ? descriptionOf(child.operation) : summary);
    command.usage(child.children.size > 0 ? '<command> [flags]' : '[flags]');
    if (!building.args.includes(child.word)) continue;
    addCommands(command, child, building);
    if (child.operation) addOperation(command, child.operation, building);
    else command.addHelpText('after', examplesOf(simplestFirst(operationsIn(child)).slice(0, 3).map(exampleCommand)));
  }
}

/** Whether the server lacks the product, or another one that all operations of the node require. */
function isOff(node: Node, { products }: Building): boolean {
  if (products === undefined) return false;
  const [product = ''] = node.name.split('.');
  // The commands below a disabled product do not repeat this: the product's own line states it.
  if (!products.includes(product)) return node.name === product;
  return operationsIn(node).every(({ requires }) => requires !== undefined && !products.includes(requires));
}

/** Orders operations for examples: harmless and short ones first. */
const simplestFirst = (operations: readonly CliOperation[]): CliOperation[] => {
  const rank = ({ name, destructive }: CliOperation): number => (destructive ? 100 : 0) + name.split('.').length;
  return [...operations].sort((a, b) => rank(a) - rank(b));
};

/** The examples at the end of a help text. */
export const examplesOf = (lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;

function summaryOf({ name, children, operation }: Node, { groups }: CliCatalogue): string {
  return operation?.summary ?? groups[name] ?? [...children.keys()].join(', ');
}

const descriptionOf = ({ name, summary, description, access, destructive }: CliOperation): string =>
  [
    summary,
    ...(description === undefined ? [] : [description]),
    `(${name}${access === 'public' ? '; no key needed' : ''}${destructive ? '; destructive: asks for confirmation' : ''})`,
  ].join('\n');

function addOperation(command: Command, operation: CliOperation, { parts, catalogue }: Building): void {
  const textsOf = addFlags(command, operation, catalogue);
  const operand = operandOf(operation);
  if (operand !== undefined) {
    const word = kebab(operand);
    command.usage(`[${word}] [flags]`).argument(`[${word}]`, `the value of --${word}`);
  }
  command.option(
    '--input <file>',
    'read the input from a JSON file, - for standard input; flags override it. A flag’s value can also come from a file: @path, @- (@@x is the text @x)',
  );
  if (!operation.read)
    command.option(
      '--idempotency-key <key>',
      `makes retries safe${operation.retrySafe ? '' : ' (default: a random one)'}`,
    );
  if (operation.pages) command.option('--all', 'fetch every page');
  if (takesFiles(operation))
    command.addOption(
      new Option('--attach <file>', 'attach a file; its type comes from its name (repeatable)').argParser(collect),
    );
  if (takesImages(operation))
    command.addOption(new Option('--image <file>', 'store a picture (repeatable)').argParser(collect));
  if (followUpOf(operation, catalogue)?.progress)
    command.option('--wait', 'wait for the outcome and print it; exit code 1 if it failed, or nothing of it succeeded');
  if (isWatchable(operation))
    command.option(
      '--watch',
      `print it again when it changes, until ${operation.progress ? 'its status is final; exit code as with --wait' : 'Ctrl-C'}`,
    );
  command.allowExcessArguments(false);
  const flagless = flaglessFields(operation);
  const example = exampleCommand(operation);
  command.addHelpText(
    'after',
    [
      ...(flagless.length > 0
        ? [`\nOther fields: ${flagless.map((name) => `--input.${kebab(name)}=…`).join(' ')}`]
        : []),
      examplesOf([
        example,
        ...(Object.keys(operation.input).length > 0
          ? [`svc ${commandPath(operation.name).join(' ')} --input input.json --json`]
          : []),
      ]),
    ].join('\n'),
  );
  command.action(async () => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    const own = ownOptions(options);
    // Loaded only when a server is called: help must appear immediately.
    const { runOperation } = await import('./run.js');
    await runOperation(
      operation,
      {
        file: own.input,
        files: own.attach,
        images: own.image,
        texts: withOperand(textsOf(options), operand, command.args),
        parts,
      },
      own,
      catalogue,
    );
  });
}

/** The texts of the flags, including the field that was given without its flag. */
function withOperand(
  texts: ReadonlyMap<string, readonly string[]>,
  field: string | undefined,
  [operand]: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  if (field === undefined || operand === undefined) return texts;
  return new Map([...texts, [field, [...(texts.get(field) ?? []), operand]]]);
}
