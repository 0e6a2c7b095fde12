/** The part of fontkit that svc uses; fontkit comes without types. */
declare module 'fontkit' {
  export interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean;
  }
  interface FontCollection {
    readonly fonts: readonly Font[];
  }
  /** @param postscriptName of a font in a collection @throws Error if the bytes are not a font */
  export function create(bytes: Buffer, postscriptName?: string): Font | FontCollection;
}
