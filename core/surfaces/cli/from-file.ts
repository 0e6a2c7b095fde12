import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CliError } from './errors.js';

/** A flag's text, or what stands in the file that it names. */
export type TextReader = (text: string, flag: string) => Promise<string>;

/**
 * Reads what flags were given: `@path` is what stands in that file, `@-` standard input, and `@@x` the text `@x`.
 * @param inputTaken whether `--input -` reads standard input already, which comes once
 */
export function textReader(inputTaken: boolean): TextReader {
  const state = { taken: inputTaken };
  return async (text, flag) => {
    if (!text.startsWith('@')) return text;
    if (text.startsWith('@@')) return text.slice(1);
    const path = text.slice(1);
    if (path !== '-') return textIn(await bytesIn(path, flag), path, flag);
    if (state.taken)
      throw new CliError(`--${flag} @- comes too late: standard input is read already.`, 'Read the other from a file.');
    state.taken = true;
    return textIn(await buffer(process.stdin), 'standard input', flag);
  };
}

async function bytesIn(path: string, flag: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CliError(
      `--${flag}: the file ${path === '' ? '“”' : path} cannot be read${why}.`,
      `Name a file that is there; for the text itself, write @@${path}.`,
    );
  }
}

/** A file of one line is that line: editors and echo end it with a line break that nobody means. */
function textIn(bytes: Buffer, name: string, flag: string): string {
  // Decoding would silently put U+FFFD in the place of what is not UTF-8.
  if (!isUtf8(bytes)) throw new CliError(`--${flag}: ${name} is not UTF-8.`, 'Save it as UTF-8, and call again.');
  const text = bytes.toString('utf8');
  return /^[^\r\n]*\r?\n$/.test(text) ? text.replace(/\r?\n$/, '') : text;
}
