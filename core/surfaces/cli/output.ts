import type { CliOperation } from './catalogue.js';
import type { Answer } from './call.js';
import { painter } from './colours.js';
import { cell, table, type Row } from './table.js';

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);
const isShort = (value: unknown): boolean => !isRow(value) && !isRows(value);

/** Tables at a terminal, JSON in pipes and files; `--json` and `--no-json` decide otherwise. */
export const wantsJson = (json: boolean | undefined): boolean => json ?? !process.stdout.isTTY;

/**
 * Prints an answer: for programs the envelope as the server gave it, for people what is in it.
 */
export function print(answer: Answer, json: boolean, operation?: Pick<CliOperation, 'list' | 'pages'>): void {
  const { activityId, result } = answer;
  const say = (text: string): boolean => process.stdout.write(`${text}\n`);
  if (json) {
    say(JSON.stringify({ activityId, result }, null, 2));
    return;
  }
  say(shown(result, operation));
  const { dim } = painter(process.stdout);
  const next = result['nextBefore'];
  if (operation?.pages && typeof next === 'string') say(dim(`There is more: --before ${next}, or --all.`));
  if (activityId !== '') say(dim(`activityId ${activityId}`));
}

/** A result in blocks: its plain values, then each thing and each list that it holds. */
function shown(result: Row, operation?: Pick<CliOperation, 'list' | 'pages'>): string {
  const { bold } = painter(process.stdout);
  const entries = Object.entries(result).filter(([name]) => !(operation?.pages && name === 'nextBefore'));
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  const [only] = entries;
  if (entries.length === 0) return 'Done.';
  if (entries.length === 1 && only) {
    const [name, value] = only;
    if (Array.isArray(value) && value.length === 0) return `No ${name}.`;
    if (isRows(value)) return table(value, columnsOf(name, value, operation), width);
    if (isRow(value)) return pairs(value, '');
  }
  const plainOnes = Object.fromEntries(entries.filter(([, value]) => isShort(value)));
  const blocks = entries
    .filter(([, value]) => !isShort(value))
    .map(([name, value]) =>
      isRows(value)
        ? `${bold(name)}\n${table(value, columnsOf(name, value, operation), width)}`
        : `${bold(name)}\n${isRow(value) ? pairs(value, '  ') : ''}`,
    );
  return [...(Object.keys(plainOnes).length > 0 ? [pairs(plainOnes, '')] : []), ...blocks].join('\n\n');
}

function columnsOf(name: string, rows: readonly Row[], operation?: Pick<CliOperation, 'list'>): readonly string[] {
  if (operation?.list?.field === name) return operation.list.columns;
  const [first = {}] = rows;
  const short = Object.keys(first).filter((key) => isShort(first[key]));
  return short.length > 0 ? short : Object.keys(first);
}

/** Names and values; what lies inside a thing has a name with dots. */
function pairs(row: Row, indent: string): string {
  const { dim } = painter(process.stdout);
  const flat = flattened(row, '');
  const widest = Math.max(0, ...flat.map(([name]) => name.length));
  return flat.map(([name, value]) => `${indent}${dim(name.padEnd(widest))}  ${value}`).join('\n');
}

function flattened(row: Row, prefix: string): [string, string][] {
  return Object.entries(row).flatMap(([name, value]): [string, string][] =>
    isRow(value) && Object.keys(value).length > 0
      ? flattened(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, cell(value)]],
  );
}
