import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CliError } from '../errors.js';

/** Resolves a flag's text: itself, or the content of the file that it names. */
type TextReader = (text: string, flag: string) => Promise<string>;

/**
 * Resolves the texts of flags: `@path` is the content of that file, `@-` standard input, and `@@x` the text `@x`. The
 * path of a file without its @ is refused if a long text is expected.
 * @param inputTaken whether `--input -` reads standard input, which can be read only once
 */
export function textReader(inputTaken: boolean): TextReader {
  const state = { taken: inputTaken };
  return async (text, flag) => {
    if (!text.startsWith('@')) {
      await refuseForgottenAt(text, flag);
      return text;
    }
    if (text.startsWith('@@')) return text.slice(1);
    const path = text.slice(1);
    if (path !== '-') return textIn(await bytesIn(path, flag), path, flag);
    if (state.taken)
      throw new CliError(
        `--${flag} @-: standard input was already read by another flag.`,
        'Read one of them from a file.',
      );
    state.taken = true;
    return textIn(await buffer(process.stdin), 'standard input', flag);
  };
}

/** Flags whose text is usually in a file: a CSV, and the texts of messages and templates. */
const longTexts = /^(locales\..+\.)?(csv|html|text|body)$/;
/** One line that ends like a file name. */
const fileName = /^[^\r\n]*\.[A-Za-z][A-Za-z0-9]{0,9}$/;

/** Without the @, the path itself would be sent as the text. @throws CliError if a long text is the path of a file */
async function refuseForgottenAt(text: string, flag: string): Promise<void> {
  if (!longTexts.test(flag) || !fileName.test(text)) return;
  const found = await stat(text).catch(() => undefined);
  if (found?.isFile())
    throw new CliError(
      `--${flag} ${text} is the name of a file, not its content. Did you mean @${text}?`,
      `Write --${flag} @${text}. To send this name itself as the text, pass it on standard input: --${flag} @-.`,
    );
}

async function bytesIn(
  path: string,
  flag: string,
  fix = `Check the path; for the text itself, write @@${path}.`,
): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CliError(`--${flag}: the file ${path === '' ? '“”' : path} cannot be read${why}.`, fix);
  }
}

/** Removes the final line break of a file with one line: editors and echo add it. */
function textIn(bytes: Buffer, name: string, flag: string): string {
  // Decoding would silently replace invalid bytes with U+FFFD.
  if (!isUtf8(bytes))
    throw new CliError(`--${flag}: ${name} is not UTF-8.`, 'Save it as UTF-8, then run the command again.');
  const text = bytes.toString('utf8');
  return /^[^\r\n]*\r?\n$/.test(text) ? text.replace(/\r?\n$/, '') : text;
}

/** A picture with a file's content; the server finds out its type. @throws CliError for a file that cannot be read */
export async function imageFrom(path: string): Promise<Record<'name' | 'content', string>> {
  const content = await bytesIn(path, 'image', 'Check the path.');
  return { name: basename(path), content: content.toString('base64') };
}

/**
 * An attachment with a file's content; the file name determines its type. @throws CliError for a file that cannot be
 * read
 */
export async function attachmentFrom(path: string): Promise<Record<'filename' | 'contentType' | 'content', string>> {
  const content = await bytesIn(path, 'attach', 'Check the path.');
  const filename = basename(path);
  // Loaded only for attachments: few commands have one.
  const { detectMimeType } = await import('nodemailer/lib/mime-funcs');
  return { filename, contentType: detectMimeType(filename), content: content.toString('base64') };
}
