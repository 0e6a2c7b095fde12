import type { InvoiceDocument } from './document.js';
import { describeLine, type Formats } from './format.js';
import { contentEnd, contentWidth, heightOf, ink, page, rule, write, type Pdf } from './sheet.js';
import type { InvoiceTexts } from './texts.js';

const gap = 8;
const numbers = { quantity: 78, unitPrice: 84, amount: 92 } as const;
const descriptionWidth = contentWidth - numbers.quantity - numbers.unitPrice - numbers.amount - 3 * gap;
const padding = 5;

/** The cells of one row, from left to right. */
const cells = (['description', 'quantity', 'unitPrice', 'amount'] as const).map((name, index, names) => {
  const widthOf = (each: (typeof names)[number]): number => (each === 'description' ? descriptionWidth : numbers[each]);
  const before = names.slice(0, index).reduce((sum, each) => sum + widthOf(each) + gap, 0);
  const align: 'left' | 'right' = index === 0 ? 'left' : 'right';
  return { name, x: page.margin + before, width: widthOf(name), align };
});

/** Writes the table of lines, over as many pages as it needs, with its header on each. @returns its lower end */
export function drawLines(
  pdf: Pdf,
  invoice: InvoiceDocument,
  texts: InvoiceTexts,
  formats: Formats,
  top: number,
): number {
  let y = drawTableHead(pdf, texts, top);
  for (const line of invoice.lines) {
    const { title, notes } = describeLine(line, texts, formats);
    const note = notes.join(' · ');
    const values = {
      description: title,
      quantity: formats.count(line.quantity),
      unitPrice: formats.money(line.unitPrice),
      amount: formats.money(line.amount),
    };
    const noteHeight = note === '' ? 0 : heightOf(pdf, note, descriptionWidth, { size: 8 });
    const heights = cells.map(({ name, width }) => heightOf(pdf, values[name], width));
    const height = Math.max((heights[0] ?? 0) + noteHeight, ...heights.slice(1)) + 2 * padding;
    if (y + height > contentEnd) {
      pdf.addPage();
      y = drawTableHead(pdf, texts, page.margin);
    }
    for (const { name, x, width, align } of cells) write(pdf, values[name], { x, y: y + padding, width }, { align });
    if (note !== '')
      write(
        pdf,
        note,
        { x: page.margin, y: y + padding + (heights[0] ?? 0), width: descriptionWidth },
        { size: 8, color: ink.muted },
      );
    y += height;
    rule(pdf, y);
  }
  if (invoice.lines.length > 0) return y;
  return y + padding + write(pdf, texts.nothing, { x: page.margin, y: y + padding, width: contentWidth }) + padding;
}

function drawTableHead(pdf: Pdf, texts: InvoiceTexts, top: number): number {
  const style = { font: 'bold', size: 8, color: ink.muted } as const;
  const heights = cells.map(({ name, width }) => heightOf(pdf, texts.columns[name], width, style));
  for (const { name, x, width, align } of cells)
    write(pdf, texts.columns[name], { x, y: top, width }, { ...style, align });
  const end = top + Math.max(...heights) + padding;
  rule(pdf, end, ink.text);
  return end;
}
