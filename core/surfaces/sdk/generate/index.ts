import type { Catalogue } from '#core/kernel/catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import { operationSource, type OperationSource } from './operation.js';
import { braces, documented, key, quoted } from './text.js';
import { treeText } from './tree.js';
import { typeWriter } from './types.js';

/** Names that the SDK itself exports, or that the text needs from the language. */
const taken = [
  'CallOptions CodeOf ClientCode CommonCode Envelope ExactlyOne Fetch FetchAnswer InputOf ItemOf Open OperationFacts',
  'OperationName ResultOf Sleep Svc SvcError SvcOperations SvcOperationTypes SvcOptions isSvcError operations',
  'AsyncGenerator Omit Partial Pick Promise Readonly Record Required',
].flatMap((line) => line.split(' '));

/** A deployment answers these where it lacks the operation: codesOf speaks of operations that are there. */
const ofAbsence = ['product_disabled', 'unknown_operation'];

/** The codes that every operation can answer. */
function sharedCodes(operations: readonly Operation[], catalogue: Catalogue): string[] {
  const [first, ...others] = operations.map((operation) => catalogue.codesOf(operation));
  const shared = (first ?? []).filter((code) => others.every((codes) => codes.includes(code)));
  return [...shared, ...ofAbsence];
}

const typesEntry = ({ operation, prefix, itemType }: OperationSource): string =>
  `${quoted(operation.name)}: { input: ${prefix}Input; result: Open<${prefix}Result>; code: ${prefix}Code; item: ${itemType} };`;

/** As short as it can be: this table is what every browser loads. */
function factsEntry({ operation: { name, impact }, list }: OperationSource): string {
  const facts = [
    ...(impact.read ? ['read: true'] : []),
    ...(impact.retrySafe ? ['retrySafe: true'] : []),
    ...(list === undefined ? [] : [`list: ${quoted(list)}`]),
  ];
  return `${key(name)}: ${facts.length === 0 ? '{}' : `{ ${facts.join(', ')} }`},`;
}

const nameOf = (declaration: string): string => /^export (?:interface|type) (\w+)/m.exec(declaration)?.[1] ?? '';

/** @throws Error when two types would bear one name */
function checkNames(declarations: readonly string[]): void {
  const names = declarations.map(nameOf);
  const doubled = names.filter((name, index) => taken.includes(name) || names.indexOf(name) !== index);
  if (doubled.length > 0) throw new Error(`The SDK would have two types named ${doubled.join(', ')}.`);
}

/**
 * The source of operations.gen.ts: the SDK's types and the table that its client runs on, of the catalogue alone, so that an
 * operation is in the SDK because it is registered.
 */
export function sdkSource(catalogue: Catalogue): string {
  const operations = [...catalogue.operations.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const writers = { input: typeWriter('input'), reply: typeWriter('reply') };
  const shared = sharedCodes(operations, catalogue);
  const written = operations.map((each) => operationSource(each, catalogue, writers, new Set(shared)));
  const components = [...writers.reply.declarations.values(), ...writers.input.declarations.values()].sort((a, b) =>
    nameOf(a) < nameOf(b) ? -1 : 1,
  );
  const ownTypes = written.flatMap(({ declarations }) => declarations);
  checkNames([...components, ...ownTypes]);
  const text = [
    treeText(written, catalogue.products),
    ...components,
    documented(
      ['Codes that every operation can answer; the last two where a deployment lacks it.'],
      `export type CommonCode = ${shared.map(quoted).join(' | ')};`,
    ),
    ...ownTypes,
    documented(
      ['The types of every operation, by its name.'],
      `export interface SvcOperationTypes ${braces(written.map(typesEntry))}`,
    ),
    'export type OperationName = keyof SvcOperationTypes;',
    documented(
      ['What the client must know of each operation.'],
      `export const operations: Readonly<Record<string, OperationFacts>> = ${braces(written.map(factsEntry))};`,
    ),
  ].join('\n\n');
  const needed = ['CallOptions', 'ExactlyOne', 'Open', 'OperationFacts'].filter((name) => text.includes(name));
  return [
    '// Written by `npm run generate` from the registry. Mend the operation, or core/surfaces/sdk/generate, never this file.',
    `import type { ${needed.join(', ')} } from './types.js';`,
    text,
  ]
    .join('\n\n')
    .concat('\n');
}
