import type { CliOperation } from './catalogue.js';
import type { Answer } from './call.js';
import { painter } from './colours.js';
import { cell, table, type Row } from './table.js';

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);
const isShort = (value: unknown): boolean => !isRow(value) && !isRows(value);

/** JSON if asked for, or by default when standard output is not a terminal. */
export const wantsJson = (json: boolean | undefined): boolean => json ?? !process.stdout.isTTY;

/** Prints an answer: the envelope as JSON for programs, tables for people. */
export function print(answer: Answer, json: boolean, operation?: Pick<CliOperation, 'list' | 'pages'>): void {
  const { activityId, result } = answer;
  const say = (text: string): boolean => process.stdout.write(`${text}\n`);
  if (json) {
    say(JSON.stringify({ activityId, result }, null, 2));
    return;
  }
  say(formatResult(result, operation));
  const { dim } = painter(process.stdout);
  const next = result['nextBefore'];
  if (operation?.pages && typeof next === 'string') say(dim(`More results: --before ${next}, or --all.`));
  if (activityId !== '') say(dim(`activityId ${activityId}`));
}

/** Formats a result: plain values first, then each object and list under its name. */
function formatResult(result: Row, operation?: Pick<CliOperation, 'list' | 'pages'>): string {
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
  const simple = Object.fromEntries(entries.filter(([, value]) => isShort(value)));
  const blocks = entries
    .filter(([, value]) => !isShort(value))
    .map(([name, value]) =>
      isRows(value)
        ? `${bold(name)}\n${table(value, columnsOf(name, value, operation), width)}`
        : `${bold(name)}\n${isRow(value) ? pairs(value, '  ') : ''}`,
    );
  return [...(Object.keys(simple).length > 0 ? [pairs(simple, '')] : []), ...blocks].join('\n\n');
}

function columnsOf(name: string, rows: readonly Row[], operation?: Pick<CliOperation, 'list'>): readonly string[] {
  if (operation?.list?.field === name) return operation.list.columns;
  const [first = {}] = rows;
  const short = Object.keys(first).filter((key) => isShort(first[key]));
  return short.length > 0 ? short : Object.keys(first);
}

/** Lists names and values. Nested fields get names with dots. */
function pairs(row: Row, indent: string): string {
  const { dim } = painter(process.stdout);
  const flat = flatten(row, '');
  const widest = Math.max(0, ...flat.map(([name]) => name.length));
  return flat.map(([name, value]) => `${indent}${dim(name.padEnd(widest))}  ${value}`).join('\n');
}

function flatten(row: Row, prefix: string): [string, string][] {
  return Object.entries(row).flatMap(([name, value]): [string, string][] =>
    isRow(value) && Object.keys(value).length > 0
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, cell(value)]],
  );
}
