import type { Readable } from 'node:stream';

/** A file to read, or a file in a ZIP archive. It can be opened again and again, and is never held in memory. */
export interface Entry {
  /** For people: `export.zip/subscribed.csv`. */
  readonly name: string;
  /** The file's own name. */
  readonly base: string;
  readonly open: () => Promise<Readable>;
}
