import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

/** Millimetres are not used: PDF measures in points, 72 to an inch. */
export const page = { margin: 48, width: 595.28, height: 841.89, footer: 60 } as const;
export const contentWidth = page.width - 2 * page.margin;
/** Where the content of a page ends; below it is the footer. */
export const contentEnd = page.height - page.footer;

export const ink = { text: '#1a1d23', muted: '#565c68', rule: '#d5d9e0' } as const;

export type Pdf = InstanceType<typeof PDFDocument>;

const require = createRequire(import.meta.url);
const fonts = { regular: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' } as const;
export type FontName = keyof typeof fonts;

let fontFiles: Promise<Record<FontName, Buffer>> | undefined;

/** The embedded fonts, read once per process: a PDF’s built-in ones have no letters beyond Latin-1. */
const loadFonts = (): Promise<Record<FontName, Buffer>> =>
  (fontFiles ??= (async () => {
    const read = (file: string): Promise<Buffer> => readFile(require.resolve(`dejavu-fonts-ttf/ttf/${file}`));
    return { regular: await read(fonts.regular), bold: await read(fonts.bold) };
  })());

/** An empty document. @param facts its title, its language and the time that it bears, so that equal invoices yield equal files */
export async function openPdf(facts: { title: string; author: string; lang: string; at: Date }): Promise<Pdf> {
  const { regular, bold } = await loadFonts();
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: page.margin, left: page.margin, right: page.margin, bottom: 0 },
    bufferPages: true,
    pdfVersion: '1.7',
    lang: facts.lang,
    displayTitle: true,
    info: { Title: facts.title, Author: facts.author, CreationDate: facts.at, ModDate: facts.at },
  });
  pdf.registerFont('regular', regular);
  pdf.registerFont('bold', bold);
  return pdf;
}

/** Ends the document. @returns its bytes */
export function closePdf(pdf: Pdf): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
    pdf.end();
  });
}

export interface TextStyle {
  readonly font?: FontName;
  readonly size?: number;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

const applyStyle = (pdf: Pdf, { font = 'regular', size = 9, color = ink.text }: TextStyle): Pdf =>
  pdf.font(font).fontSize(size).fillColor(color);

/** Writes a text into a box. @returns the height that it takes */
export function write(
  pdf: Pdf,
  text: string,
  box: { x: number; y: number; width: number },
  style: TextStyle = {},
): number {
  applyStyle(pdf, style);
  const options = { width: box.width, align: style.align ?? 'left' } as const;
  const height = pdf.heightOfString(text, options);
  pdf.text(text, box.x, box.y, options);
  return height;
}

/** The height that `write` would take. */
export const heightOf = (pdf: Pdf, text: string, width: number, style: TextStyle = {}): number =>
  applyStyle(pdf, style).heightOfString(text, { width });

/** A thin horizontal line over the whole width. */
export function rule(pdf: Pdf, y: number, color: string = ink.rule, from: number = page.margin): void {
  pdf
    .moveTo(from, y)
    .lineTo(page.width - page.margin, y)
    .lineWidth(0.75)
    .strokeColor(color)
    .stroke();
}
