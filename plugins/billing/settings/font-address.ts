import { closeSync, openSync, readSync } from 'node:fs';

/** A font file. */
export interface FontAddress {
  readonly path: string;
  /** Its PostScript name, if the file is a collection of fonts. */
  readonly name: string | undefined;
}

/** The first bytes of font files: TrueType, OpenType with CFF outlines, and collections of either. */
const signatures = { '00010000': 'font', '74727565': 'font', '4f54544f': 'font', '74746366': 'collection' } as const;

/**
 * Reads SVC_INVOICE_FONT: `/fonts/NotoSansSC-Regular.otf`, or `/fonts/NotoSansCJK.ttc#NotoSansCJKjp-Regular`.
 * @throws Error whose message completes “SVC_INVOICE_FONT …”
 */
export function readFontAddress(text: string): FontAddress {
  const [path = '', name] = text.split('#');
  const begin = beginOf(path);
  const kind = Object.entries(signatures).find(([signature]) => signature === begin)?.[1];
  if (kind === undefined) throw new Error(`must be a TrueType or OpenType font, but ${path} is not`);
  if (kind === 'collection' && !name)
    throw new Error(
      `names a font collection: add the PostScript name of one font, such as ${path}#NotoSansCJKsc-Regular`,
    );
  return { path, name };
}

function beginOf(path: string): string {
  const begin = Buffer.alloc(4);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, begin, 0, 4, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Error(`names the file ${path}, which cannot be read (${code})`, { cause: error });
  }
  return begin.toString('hex');
}
