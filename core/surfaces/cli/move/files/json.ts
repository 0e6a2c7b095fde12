import { isRecord, parseJson } from '#core/runtime/json.js';
import { CliError } from '../../errors.js';
import type { Place } from '../found.js';
import type { Entry } from './entry.js';
import { textOf } from './text.js';

export interface JsonRecord {
  readonly place: Place;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Characters of one record. */
const maxRecord = 4 * 1024 * 1024;

const damaged = (entry: Entry, line: number, problem: string): CliError =>
  new CliError(`${entry.name}, line ${line}: ${problem}.`, 'Export the file again, and check that it is complete.');

/**
 * The objects of a file, one after the other: one per line or one after another, in an array, or in arrays within an
 * object, such as `{"users": […]}`.
 * @param wrappers the names of fields that only contain the records, such as `users`
 * @throws CliError naming the line that is not JSON
 */
export async function* jsonRecords(entry: Entry, wrappers: readonly string[] = []): AsyncGenerator<JsonRecord> {
  const scanner = createScanner(entry, new Set(wrappers));
  for await (const text of textOf(entry)) yield* scanner.records(text);
  scanner.end();
}

interface Scanner {
  records(text: string): Generator<JsonRecord>;
  /** @throws CliError if the file ends within a record */
  end(): void;
}

/** Finds the limits of records; their content is parsed by JSON.parse. */
function createScanner(entry: Entry, wrappers: ReadonlySet<string>): Scanner {
  let line = 1;
  /** Brackets that are open outside of records. */
  let outside = 0;
  let depth = 0;
  let [isText, isEscaped] = [false, false];
  let record = '';
  let startLine = 1;
  /** Wrappers are only before the first record. */
  let mayWrap = wrappers.size > 0;
  /** Whether the text so far ends with `"<wrapper>":`, whose value has the records. */
  const isWrapper = (): boolean => {
    const name = /"([^"\\]{1,40})"\s*:$/.exec(record)?.[1];
    return name !== undefined && wrappers.has(name);
  };
  return {
    *records(text) {
      let from = 0;
      for (let index = 0; index < text.length; index++) {
        const character = text[index];
        if (character === '\n') line++;
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (character === '\\') isEscaped = true;
          else if (character === '"') isText = false;
          continue;
        }
        if (character === '"') isText = true;
        else if (depth === 0) {
          if (character === '{') {
            [depth, from, startLine, record] = [1, index, line, ''];
          } else if (character === '[') outside++;
          else if (character === ']' || character === '}') outside--;
          else if (!/[\s,]/.test(character ?? '') && outside === 0)
            throw damaged(entry, line, 'there is text outside of a JSON object');
        } else if (character === '{' || character === '[') depth++;
        else if (character === '}' || character === ']') {
          depth--;
          if (depth > 0) continue;
          record += text.slice(from, index + 1);
          yield { place: { file: entry.name, line: startLine }, value: parsed(entry, startLine, record) };
          record = '';
          mayWrap = false;
        } else if (character === ':' && depth === 1 && mayWrap) {
          record += text.slice(from, index + 1);
          from = index + 1;
          if (!isWrapper()) continue;
          [depth, record] = [0, ''];
          outside++;
        }
      }
      if (depth === 0) return;
      record += text.slice(from);
      if (record.length > maxRecord)
        throw damaged(entry, startLine, `a record has more than ${maxRecord} characters, or is not closed`);
    },
    end() {
      if (depth > 0) throw damaged(entry, startLine, 'the record that begins here is not closed');
      if (outside > 0) throw damaged(entry, line, 'the file ends before its last bracket');
    },
  };
}

function parsed(entry: Entry, line: number, text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  if (!isRecord(value)) throw damaged(entry, line, 'the record that begins here is not JSON');
  return value;
}
