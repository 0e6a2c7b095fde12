import { isRecord, parseJson } from '#core/runtime/json.js';
import { CliError } from '../../errors.js';
import type { Place } from '../found.js';
import type { Entry } from './entry.js';
import { textOf } from './text.js';

export interface JsonRecord {
  readonly place: Place;
  readonly value: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

interface JsonOptions {
  /** The names of fields that only contain the records, such as `users`. */
  readonly wrappers?: readonly string[];
  /** Called with the other fields of an object that contains the records. */
  readonly onFields?: (fields: Fields) => void;
}

/** Characters of one record. */
const maxRecord = 4 * 1024 * 1024;

/**
 * The objects of a file, one after the other: one per line or one after another, in an array, or in arrays within an
 * object, such as `{"users": […]}`.
 * @throws CliError naming the line and column that is not JSON
 */
export async function* jsonRecords(entry: Entry, options: JsonOptions = {}): AsyncGenerator<JsonRecord> {
  const scanner = createScanner(entry, options);
  for await (const text of textOf(entry)) yield* scanner.records(text);
  scanner.end();
}

interface Scanner {
  records(text: string): Generator<JsonRecord>;
  /** @throws CliError if the file ends within a record or a list */
  end(): void;
}

// Characters that limit JSON values.
const lineFeed = 10;
const quote = 34;
const comma = 44;
const colon = 58;
const openList = 91;
const backslash = 92;
const closeList = 93;
const openObject = 123;
const closeObject = 125;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** What may be next outside of records, for people. */
const expectations = { record: 'a record', recordOrEnd: 'a record or “]”', commaOrEnd: '“,” or “]”' } as const;

/**
 * Finds the limits of records, whose content JSON.parse checks. An object with a wrapper is not a record: the records
 * are in the wrapper, and the fields before and after it are checked as a separate object.
 */
function createScanner(entry: Entry, { wrappers = [], onFields }: JsonOptions): Scanner {
  const names = new Set(wrappers);
  let line = 1;
  /** The index of the last line feed, below 0 if it is in an earlier piece of text. */
  let lastLineFeed = -1;
  /** What is open outside of records: lists of records, and objects that contain them. */
  const outside: ('list' | 'object')[] = [];
  let expected: keyof typeof expectations = 'record';
  /** Brackets that are open within the current object. */
  let depth = 0;
  let [isText, isEscaped] = [false, false];
  /** The current object: its text in earlier pieces, and its beginning. */
  let held = '';
  let [startLine, startColumn] = [1, 1];
  /** Whether the current object is the rest of one that contains records. */
  let isRest = false;
  /** Whether a field of the current object may contain the records, and whether the name before this was its name. */
  let [mayWrap, isWrapper] = [false, false];
  let hasPlainRecords = false;

  const refusal = (atLine: number, column: number, problem: string): CliError =>
    new CliError(
      `${entry.name}, line ${atLine}, column ${column}: ${problem}.`,
      'Export the file again, and check that it is complete.',
    );
  const parsed = (text: string): Fields => {
    const value = parseJson(text);
    if (isRecord(value)) return value;
    const what = isRest ? 'the text after the records' : 'the record that begins here';
    throw refusal(startLine, startColumn, `${what} is not JSON`);
  };
  const begin = (index: number, text: string): void => {
    [depth, held] = [1, text];
    [startLine, startColumn] = [line, index - lastLineFeed];
  };
  /** Takes a character outside of records. */
  const takeOutside = (code: number, index: number, text: string): void => {
    if (code === openObject && expected !== 'commaOrEnd') {
      begin(index, '');
      isRest = false;
      mayWrap = names.size > 0 && !hasPlainRecords && !outside.includes('list');
    } else if (code === openList && expected === 'record' && outside.at(-1) !== 'list') {
      outside.push('list');
      expected = 'recordOrEnd';
    } else if (code === closeList && expected !== 'record') {
      outside.pop();
      endValue(index);
    } else if (code === comma && expected === 'commaOrEnd') expected = 'record';
    else {
      const found = text.slice(index, index + 20).split(/\s/, 1)[0];
      throw refusal(line, index - lastLineFeed, `expected ${expectations[expected]}, but found “${found}”`);
    }
  };
  /** Ends a record or a list of records. If it is in a wrapper, the fields after that follow. */
  const endValue = (index: number): void => {
    expected = outside.length === 0 ? 'record' : 'commaOrEnd';
    if (outside.at(-1) !== 'object') return;
    [isRest, mayWrap] = [true, true];
    // A field that ends here, so that the fields after it can be parsed.
    begin(index, '{"":null');
  };

  return {
    *records(text) {
      let from = 0;
      for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index);
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (code === backslash) isEscaped = true;
          else if (code === quote) isText = false;
          continue;
        }
        if (code === lineFeed) {
          line++;
          lastLineFeed = index;
        }
        if (isSpace(code)) continue;
        if (isWrapper && (code === openObject || code === openList)) {
          const fields = parsed(`${held}${text.slice(from, index)}null}`);
          onFields?.(fields);
          if (!isRest) outside.push('object');
          isRest = false;
          [depth, expected] = [0, 'record'];
        }
        isWrapper = false;
        if (depth === 0) {
          takeOutside(code, index, text);
          from = isRest ? index + 1 : index;
        } else if (code === quote) isText = true;
        else if (code === openObject || code === openList) depth++;
        else if (code === closeObject || code === closeList) {
          if (--depth > 0) continue;
          const value = parsed(held + text.slice(from, index + 1));
          if (isRest) {
            outside.pop();
            onFields?.(value);
          } else {
            if (outside.length === 0) hasPlainRecords = true;
            yield { place: { file: entry.name, line: startLine }, value };
          }
          endValue(index);
          from = index + 1;
        } else if (code === colon && depth === 1 && mayWrap) {
          const name = /"([^"\\]{1,40})"\s*$/.exec(
            held.slice(-60) + text.slice(Math.max(from, index - 60), index),
          )?.[1];
          isWrapper = name !== undefined && names.has(name);
        }
      }
      lastLineFeed -= text.length;
      if (depth === 0) return;
      held += text.slice(from);
      if (held.length > maxRecord)
        throw refusal(startLine, startColumn, `a record has more than ${maxRecord} characters, or is not closed`);
    },
    end() {
      if (depth > 0 && !isRest) throw refusal(startLine, startColumn, 'the record that begins here is not closed');
      if (outside.length > 0) throw refusal(line, -lastLineFeed, 'the file ends before its last bracket');
    },
  };
}
