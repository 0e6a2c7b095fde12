import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A shell block of a document. A comment above it, `<!-- not run by a test: why -->`, says why no test runs it. */
interface ShellBlock {
  readonly text: string;
  readonly notRun: string | undefined;
}

/**
 * The ```sh blocks of a document, in their order, without the indentation that lists give them.
 * @param heading of the section of level 2 that contains them; all sections by default
 */
export async function shellBlocks(document: string, heading?: string): Promise<ShellBlock[]> {
  const whole = await readFile(join(root, document), 'utf8');
  const source = heading === undefined ? whole : (whole.split(/^## /m).find((part) => part.startsWith(heading)) ?? '');
  const blocks = source.matchAll(/(?:<!-- not run by a test: (.+?) -->\n\n)?^([ ]*)```sh\n([\s\S]*?)^[ ]*```$/gm);
  return [...blocks].map(([, notRun, indent = '', text = '']) => ({
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    notRun,
  }));
}
