import { readFile } from 'node:fs/promises';
import { text as allOf } from 'node:stream/consumers';
import { isRecord, parseJson, withoutMark } from '#core/runtime/json.js';
import { type CliOperation } from '../command-catalogue.js';
import { commandPath, flagOf } from '../../names.js';
import { putPart, type Part } from './dotted.js';
import { CliError } from '../errors.js';
import { attachmentFrom, imageFrom, textReader } from './from-file.js';
import { valueOf } from './values.js';

export interface Given {
  /** `--input`: a JSON file, or `-` for standard input. */
  readonly file: string | undefined;
  /** `--attach`: paths of files to send as attachments. */
  /** `--image`: paths of files. */
  readonly images?: readonly string[];
  readonly files?: readonly string[];
  /** The texts given to each field's flag. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly parts: readonly Part[];
}

/**
 * Builds the operation's input. Later sources override earlier ones: defaults, `--input` file, flags, flags with dots.
 * @throws CliError for a value that does not fit, an unreadable file or a missing required field
 */
export async function inputOf(
  operation: CliOperation,
  { file, files = [], images = [], texts, parts }: Given,
  defaults: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const input = { ...defaults, ...(file === undefined ? {} : await readInput(file)) };
  const read = textReader(file === '-');
  for (const [name, field] of Object.entries(operation.input)) {
    const given = texts.get(name);
    const flag = flagOf(name) ?? name;
    if (given) input[name] = valueOf(field, await readAll(given, (text) => read(text, flag)), flag);
  }
  for (const { path, text } of parts) putPart(input, operation.input, { path, text: await read(text, path.join('.')) });
  const append = async (field: string, made: readonly Promise<object>[]): Promise<void> => {
    const given: readonly unknown[] = Array.isArray(input[field]) ? input[field] : [];
    if (made.length > 0) input[field] = [...given, ...(await Promise.all(made))];
  };
  await append('attachments', files.map(attachmentFrom));
  await append('images', images.map(imageFrom));
  const missing = Object.entries(operation.input)
    .filter(([name, field]) => field.required && !(name in input))
    .map(([name]) => `--${flagOf(name) ?? `input.${name}`}`);
  if (missing.length > 0)
    throw new CliError(
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
      `Pass ${missing.length === 1 ? 'it as a flag' : 'them as flags'} or in --input <file.json>; \`svc ${commandPath(operation.name).join(' ')} --help\` shows an example.`,
    );
  return input;
}

/** Reads sequentially: standard input goes to the first flag that requests it. */
async function readAll(texts: readonly string[], read: (text: string) => Promise<string>): Promise<string[]> {
  const found: string[] = [];
  for (const text of texts) found.push(await read(text));
  return found;
}

async function readInput(file: string): Promise<Record<string, unknown>> {
  const name = file === '-' ? 'standard input' : file;
  const text = file === '-' ? await allOf(process.stdin) : await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new CliError(`${name} cannot be read.`, 'Pass a JSON file, or - for standard input.');
  const found = parseJson(withoutMark(text));
  if (!isRecord(found))
    throw new CliError(`${name} does not hold a JSON object.`, 'Pass the operation’s input as one JSON object.');
  return found;
}
