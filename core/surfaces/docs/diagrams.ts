import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { cacheHeaders, type CachedPage } from '../cached-page.js';

/*
 * The diagrams of the documents as pictures. `npm run generate` draws them from their text, in the notation of Mermaid
 * (scripts/diagrams.ts), because drawing takes a second and a library that a server does not need.
 */

/** Where the pictures are, in the repository and in the copy of its documents. */
export const diagramsFolder = 'docs/diagrams';

/** The file of a diagram: named after its text, so that a text that has changed does not get an old picture. */
export const diagramFile = (source: string): string =>
  `${createHash('sha256').update(source.trim()).digest('hex').slice(0, 12)}.svg`;

/** The picture of a diagram, as a page shows it. */
export interface Diagram {
  readonly address: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Diagrams {
  /** The picture for a text; undefined without one. */
  find(source: string): Diagram | undefined;
  /** By address. */
  readonly files: ReadonlyMap<string, CachedPage>;
}

/**
 * Reads the pictures.
 * @param root the repository or its copy
 * @param below the address that those of the pictures begin with
 */
export async function readDiagrams(root: URL, below: string): Promise<Diagrams> {
  const folder = new URL(`${diagramsFolder}/`, root);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.svg'));
  const read = await Promise.all(
    names.map(async (name) => {
      const body = await readFile(new URL(name, folder));
      const address = `${below}/${name}`;
      const [, width = '0', height = '0'] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(body.toString()) ?? [];
      const headers = { ...cacheHeaders(body), 'Content-Type': 'image/svg+xml; charset=utf-8' };
      return { name, diagram: { address, width: Number(width), height: Number(height) }, page: { body, headers } };
    }),
  );
  const byName = new Map(read.map(({ name, diagram }) => [name, diagram]));
  return {
    find: (source) => byName.get(diagramFile(source)),
    files: new Map(read.map(({ diagram, page }) => [diagram.address, page])),
  };
}
