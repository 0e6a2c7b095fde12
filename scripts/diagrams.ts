import { readFileSync } from 'node:fs';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { diagramFile } from '#core/surfaces/docs/diagrams.js';

/* Draws the diagrams of the documents, for `npm run generate`. */

/** The colours follow the reader's, in documents as in an image of a page. They are those of the documentation. */
const style = `
  svg { color-scheme: light dark; --bg: #ffffff; --fg: #1b1f27; --muted: #5f6775; }
  @media (prefers-color-scheme: dark) { svg { --bg: #14171d; --fg: #e8eaee; --muted: #9aa3b2; } }`;

const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif";

/** Room around the drawing, in pixels. */
const padding = 8;

/** Draws a diagram. @returns an SVG that loads nothing else */
function draw(source: string): string {
  return (
    renderMermaidSVG(source, {
      bg: '#ffffff',
      fg: '#1b1f27',
      transparent: true,
      padding,
      nodeSpacing: 20,
      layerSpacing: 36,
    })
      .replace(
        /^<svg ([^>]*?) width="([\d.]+)" height="([\d.]+)"[^>]*>/,
        (_, start: string, width: string, height: string) =>
          `<svg ${start} width="${Math.ceil(Number(width))}" height="${Math.ceil(Number(height))}" font-family="${font}">`,
      )
      // The library loads a font from another server.
      .replace(/@import url\([^)]*\);/, '')
      .replace(/text \{ font-family: [^}]*\}/, `${style}\n  text { font-family: ${font}; }`)
      .replaceAll(/(?<=\d\.\d{2})\d+/g, '')
      .replaceAll(/[ \t]+$/gm, '')
      .concat('\n')
  );
}

/**
 * Draws all diagrams of documents.
 * @param files paths of Markdown files
 * @returns the SVGs by the names of their files
 */
export function drawDiagrams(files: readonly string[]): Map<string, string> {
  const sources = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^```mermaid\n([^]*?)^```$/gm)].map(([, source = '']) => source),
  );
  return new Map(sources.map((source) => [diagramFile(source), draw(source)]));
}
