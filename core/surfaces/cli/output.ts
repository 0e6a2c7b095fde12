import type { CliOperation } from './command-catalogue.js';
import type { Answer } from './call.js';
import { block, fieldsOf, isRow, isRows, isShort, pairs } from './terminal/block.js';
import { painter } from './terminal/colours.js';
import { withPlainNames } from './terminal/sanitize.js';
import { table, type Row } from './terminal/table.js';
import type { JoinedLists } from '#core/kernel/operation-hints.js';
import { isRecord, listAt } from '#core/runtime/json.js';

interface Shown extends Pick<CliOperation, 'list' | 'tables' | 'pages' | 'joined'> {
  /** Whether fields without a value are shown; other operations leave them out. */
  readonly read?: boolean;
}

/** JSON if requested, or by default when standard output is not a terminal. */
export const wantsJson = (json: boolean | undefined): boolean => json ?? !process.stdout.isTTY;

/** Prints an answer: the envelope as JSON for programs, tables for people. */
export function print(answer: Answer, json: boolean, operation?: Shown): void {
  const { activityId } = answer;
  const say = (text: string): boolean => process.stdout.write(`${text}\n`);
  if (json) {
    say(JSON.stringify({ activityId, result: answer.result }, null, 2));
    return;
  }
  const result = operation?.joined ? joinLists(answer.result, operation.joined) : answer.result;
  const plain = withPlainNames(result);
  const text = formatResult(isRow(plain) ? plain : {}, operation);
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
    isRow(value) ? withoutEmpty(value) : isRows(value) ? value.map(withoutEmpty) : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
}

/**
 * Formats a result: plain values first, then each object and list under its name. Of a write, fields without a value
 * are left out.
 */
function formatResult(result: Row, operation?: Shown): string {
  const { bold } = painter(process.stdout);
  const shown = operation && !operation.read ? withoutEmpty(result) : result;
  const entries = Object.entries(shown).filter(([name]) => !(operation?.pages && name === 'nextBefore'));
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  const rowsOf = (name: string, rows: readonly Row[]): string => {
    const known = operation?.list?.field === name ? operation.list : operation?.tables?.[name];
    return table(rows, known?.columns ?? shortFieldsOf(rows), width, known?.others);
  };
  const [only] = entries;
  if (entries.length === 0) return 'Done.';
  if (entries.length === 1 && only) {
    const [name, value] = only;
    if (Array.isArray(value) && value.length === 0) return `No ${name}.`;
    if (isRows(value)) return rowsOf(name, value);
    if (isRow(value)) return block(value, '', '');
  }
  const simple = Object.fromEntries(entries.filter(([, value]) => isShort(value)));
  const blocks = entries
    .filter(([, value]) => !isShort(value))
    .map(([name, value]) =>
      isRows(value)
        ? `${bold(name)}\n${rowsOf(name, value)}`
        : `${bold(name)}\n${isRow(value) ? block(value, '  ', `${name}.`) : ''}`,
    );
  return [...(Object.keys(simple).length > 0 ? [pairs(simple, '')] : []), ...blocks].join('\n\n');
}

function shortFieldsOf(rows: readonly Row[]): readonly string[] {
  const all = fieldsOf(rows);
  const short = all.filter((key) => rows.every((row) => isShort(row[key])));
  return short.length > 0 ? short : all;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * A reply with its lists of the same things joined into one: the other lists are left out, and their fields are added
 * if the item has no such field.
 */
function joinLists(result: Fields, { list, from, by }: JoinedLists): Fields {
  const keys = Object.entries(by);
  const added = from.flatMap((path) => listAt(result, ...path.split('.'))).filter(isRecord);
  const joined = listAt(result, ...list.split('.')).map((item) => {
    if (!isRecord(item)) return item;
    const same = added.find((each) => keys.every(([theirs, ours]) => each[theirs] === item[ours])) ?? {};
    const others = Object.entries(same).filter(([name]) => !(name in by) && !(name in item));
    return { ...item, ...Object.fromEntries(others) };
  });
  const rest = from.reduce((each, path) => replaced(each, path.split('.')), result);
  return joined.length === 0 ? rest : replaced(rest, list.split('.'), joined);
}

/** The object with another value at a path, or without its value. */
function replaced(object: Fields, [name = '', ...path]: readonly string[], value?: unknown): Fields {
  const { [name]: found, ...others } = object;
  if (path.length > 0) return isRecord(found) ? { ...object, [name]: replaced(found, path, value) } : object;
  return value === undefined ? others : { ...object, [name]: value };
}
