import { CliError } from '../../errors.js';
import type { Entry } from './entry.js';

const lineFeeds = (text: string): number => text.split('\n').length - 1;

/**
 * The text of a file, in pieces, without a byte order mark.
 * @throws CliError naming the line from which on the file is not UTF-8
 */
export async function* textOf(entry: Entry): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new CliError(
        `${entry.name} is not UTF-8, from about line ${line} on.`,
        'Save it as UTF-8, or export it again.',
      );
    }
  };
  for await (const chunk of bytesOf(entry)) {
    const text = decode(chunk);
    if (text !== '') yield text;
    line += lineFeeds(text);
  }
  const rest = decode();
  if (rest !== '') yield rest;
}

async function* bytesOf(entry: Entry): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of await entry.open()) yield Buffer.from(chunk);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `${entry.name} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      'Download the export again, and check that the file is complete.',
    );
  }
}

/** The first characters of a file that are not white space. */
export async function startOf(entry: Entry, length = 65_536): Promise<string> {
  let start = '';
  for await (const text of textOf(entry)) {
    start = (start + text).trimStart();
    if (start.length >= length) break;
  }
  return start.slice(0, length);
}
