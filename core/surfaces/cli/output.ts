import type { CliOperation } from './catalogue.js';
import type { Answer } from './call.js';
import { painter } from './colours.js';
import { cell, table, type Row } from './table.js';
import { fullTime } from './times.js';

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);
const isShort = (value: unknown): boolean => !isRow(value) && !isRows(value);

interface Shown extends Pick<CliOperation, 'list' | 'pages'> {
  /** Of other operations, fields without a value are left out. */
  readonly read?: boolean;
}

/** JSON if asked for, or by default when standard output is not a terminal. */
export const wantsJson = (json: boolean | undefined): boolean => json ?? !process.stdout.isTTY;

/** Prints an answer: the envelope as JSON for programs, tables for people. */
export function print(answer: Answer, json: boolean, operation?: Shown): void {
  const { activityId, result } = answer;
  const say = (text: string): boolean => process.stdout.write(`${text}\n`);
  if (json) {
    say(JSON.stringify({ activityId, result }, null, 2));
    return;
  }
  const text = formatResult(result, operation);
  say(text);
  const { dim } = painter(process.stdout);
  const next = result['nextBefore'];
  if (operation?.pages && typeof next === 'string') say(dim(`More results: --before ${next}, or --all.`));
  if (activityId !== '') say(dim(`${text.includes('\n\n') ? '\n' : ''}activityId ${activityId}`));
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** A reply without nulls and empty lists and objects. */
function withoutEmpty(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]): [string, unknown] => [
    name,
    isRow(value) ? withoutEmpty(value) : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
}

/** Formats a result: plain values first, then each object and list under its name. Of a write, fields without a value are left out. */
function formatResult(result: Row, operation?: Shown): string {
  const { bold } = painter(process.stdout);
  const shown = operation && !operation.read ? withoutEmpty(result) : result;
  const entries = Object.entries(shown).filter(([name]) => !(operation?.pages && name === 'nextBefore'));
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  const rowsOf = (name: string, rows: readonly Row[]): string => {
    const list = operation?.list?.field === name ? operation.list : undefined;
    return table(rows, list?.columns ?? shortFieldsOf(rows), width, list?.others);
  };
  const [only] = entries;
  if (entries.length === 0) return 'Done.';
  if (entries.length === 1 && only) {
    const [name, value] = only;
    if (Array.isArray(value) && value.length === 0) return `No ${name}.`;
    if (isRows(value)) return rowsOf(name, value);
    if (isRow(value)) return pairs(value, '');
  }
  const simple = Object.fromEntries(entries.filter(([, value]) => isShort(value)));
  const blocks = entries
    .filter(([, value]) => !isShort(value))
    .map(([name, value]) =>
      isRows(value)
        ? `${bold(name)}\n${rowsOf(name, value)}`
        : `${bold(name)}\n${isRow(value) ? pairs(value, '  ') : ''}`,
    );
  return [...(Object.keys(simple).length > 0 ? [pairs(simple, '')] : []), ...blocks].join('\n\n');
}

function shortFieldsOf([first = {}]: readonly Row[]): readonly string[] {
  const short = Object.keys(first).filter((key) => isShort(first[key]));
  return short.length > 0 ? short : Object.keys(first);
}

/** Lists names and values. Nested fields get names with dots. */
function pairs(row: Row, indent: string): string {
  const { dim, yellow } = painter(process.stdout);
  const flat = flatten(row, '');
  const widest = Math.max(0, ...flat.map(([name]) => name.length));
  // The next step of a refusal inside a reply, such as blocked.fix.
  const shown = (name: string, value: string): string => (name.endsWith('.fix') ? yellow(value) : value);
  return flat.map(([name, value]) => `${indent}${dim(name.padEnd(widest))}  ${shown(name, value)}`).join('\n');
}

function flatten(row: Row, prefix: string): [string, string][] {
  return Object.entries(row).flatMap(([name, value]): [string, string][] =>
    isRow(value) && Object.keys(value).length > 0
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, cell(value, fullTime)]],
  );
}
