import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import type { FontAddress } from '../../settings/font-address.js';

const require = createRequire(import.meta.url);
const files = { regular: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' } as const;
export type FontName = keyof typeof files;

/** A font as a document embeds it. */
interface LoadedFont {
  readonly bytes: Buffer;
  /** Its name in a collection of fonts. */
  readonly name: string | undefined;
  readonly facts: Font;
}

/** The fonts of documents. */
export interface Fonts extends Readonly<Record<FontName, LoadedFont>> {
  /** For letters that the others do not have; SVC_INVOICE_FONT. */
  readonly further: LoadedFont | null;
}

/** Replaces a letter that no font has. */
const substitute = '?';

const loaded = new Map<string, Promise<Fonts>>();

/**
 * The embedded fonts, read once per process: a PDF’s built-in ones have no letters beyond Latin-1. @throws Error if a
 * file is not a font
 */
export function loadFonts(further: FontAddress | null): Promise<Fonts> {
  const key = `${further?.path ?? ''}#${further?.name ?? ''}`;
  const known = loaded.get(key);
  if (known) return known;
  const fonts = readFonts(further);
  loaded.set(key, fonts);
  // A file that could not be read may be available next time.
  fonts.catch(() => loaded.delete(key));
  return fonts;
}

async function readFonts(further: FontAddress | null): Promise<Fonts> {
  const own = (file: string): Promise<LoadedFont> =>
    readFont({ path: require.resolve(`dejavu-fonts-ttf/ttf/${file}`), name: undefined });
  return {
    regular: await own(files.regular),
    bold: await own(files.bold),
    further: further === null ? null : await readFont(further),
  };
}

async function readFont({ path, name }: FontAddress): Promise<LoadedFont> {
  const bytes = await readFile(path);
  const facts = create(bytes, name);
  if (!('hasGlyphForCodePoint' in facts)) throw new Error(`${path} is a font collection: add #Name.`);
  return { bytes, name, facts };
}

/**
 * The font for a text, and the text as that font can show it: the wanted font if it has every letter, otherwise the
 * additional font if that has more of them. A letter that the font does not have becomes a question mark: PDF readers
 * would show an empty box.
 */
export function fitText(fonts: Fonts, text: string, wanted: FontName): { font: FontName | 'further'; text: string } {
  const missing = missingIn(fonts[wanted].facts, text);
  if (missing.size === 0) return { font: wanted, text };
  const stillMissing = fonts.further ? missingIn(fonts.further.facts, text) : missing;
  const font = fonts.further && stillMissing.size < missing.size ? 'further' : wanted;
  const left = font === 'further' ? stillMissing : missing;
  return { font, text: Array.from(text, (letter) => (left.has(letter) ? substitute : letter)).join('') };
}

/** Characters that no font shows: spaces, line breaks, joiners and variation selectors. */
const invisible = /[\s\p{Cf}\p{Cc}\p{Variation_Selector}]/u;

const missingIn = (font: Font, text: string): Set<string> =>
  new Set(
    Array.from(text).filter(
      (letter) => !invisible.test(letter) && !font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0),
    ),
  );
