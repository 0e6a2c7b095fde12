/** What svc uses of fontkit, which comes without types. */
declare module 'fontkit' {
  export interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean;
  }
  interface FontCollection {
    readonly fonts: readonly Font[];
  }
  /** @param postscriptName of a font in a collection @throws Error where the bytes are no font */
  export function create(bytes: Buffer, postscriptName?: string): Font | FontCollection;
}
