import PDFDocument from 'pdfkit';
import type { FontAddress } from '../../settings/font-address.js';
import { fitText, loadFonts, type FontName, type Fonts } from './fonts.js';

/** Millimetres are not used: PDF measures in points, 72 to an inch. */
export const page = { margin: 48, width: 595.28, height: 841.89, footer: 60 } as const;
export const contentWidth = page.width - 2 * page.margin;
/** Where the content of a page ends; the footer is below it. */
export const contentEnd = page.height - page.footer;

export const ink = { text: '#1a1d23', muted: '#565c68', rule: '#d5d9e0' } as const;

export type Pdf = InstanceType<typeof PDFDocument>;

/** The fonts of each open document. */
const fontsOf = new WeakMap<Pdf, Fonts>();

/**
 * Creates an empty document. @param facts its title, its language and its time stamp, so that equal invoices produce
 * equal files
 */
export async function openPdf(facts: {
  title: string;
  author: string;
  lang: string;
  at: Date;
  furtherFont: FontAddress | null;
}): Promise<Pdf> {
  const fonts = await loadFonts(facts.furtherFont);
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: page.margin, left: page.margin, right: page.margin, bottom: 0 },
    bufferPages: true,
    pdfVersion: '1.7',
    lang: facts.lang,
    displayTitle: true,
    info: { Title: facts.title, Author: facts.author, CreationDate: facts.at, ModDate: facts.at },
  });
  fontsOf.set(pdf, fonts);
  pdf.registerFont('regular', fonts.regular.bytes);
  pdf.registerFont('bold', fonts.bold.bytes);
  if (fonts.further) pdf.registerFont('further', fonts.further.bytes, fonts.further.name);
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

interface TextStyle {
  readonly font?: FontName;
  readonly size?: number;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** Sets the style of a text. @returns the text as its font can show it */
function applyStyle(pdf: Pdf, text: string, { font = 'regular', size = 9, color = ink.text }: TextStyle): string {
  const fonts = fontsOf.get(pdf);
  const fitted = fonts ? fitText(fonts, text, font) : { font, text };
  pdf.font(fitted.font).fontSize(size).fillColor(color);
  return fitted.text;
}

/** Writes a text into a box. @returns the height that it takes up */
export function write(
  pdf: Pdf,
  text: string,
  box: { x: number; y: number; width: number },
  style: TextStyle = {},
): number {
  const shown = applyStyle(pdf, text, style);
  const options = { width: box.width, align: style.align ?? 'left' } as const;
  const height = pdf.heightOfString(shown, options);
  pdf.text(shown, box.x, box.y, options);
  return height;
}

/** The height that `write` would take up. */
export const heightOf = (pdf: Pdf, text: string, width: number, style: TextStyle = {}): number =>
  pdf.heightOfString(applyStyle(pdf, text, style), { width });

/** A thin horizontal line over the whole width. */
export function rule(pdf: Pdf, y: number, color: string = ink.rule, from: number = page.margin): void {
  pdf
    .moveTo(from, y)
    .lineTo(page.width - page.margin, y)
    .lineWidth(0.75)
    .strokeColor(color)
    .stroke();
}
