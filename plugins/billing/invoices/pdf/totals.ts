import { fillText } from '#core/surfaces/pages/texts.js';
import { roundToMinor } from '../../money/micros.js';
import type { InvoiceDocument } from './document.js';
import type { Formats } from './format.js';
import { contentEnd, contentWidth, page, rule, write, type Pdf } from './sheet.js';
import type { InvoiceTexts } from './texts.js';

const rowHeight = 16;
const width = 250;
const left = page.margin + contentWidth - width;

/** Writes the subtotal, credit, tax and total. They stay together, on another page if this one is full. */
export function drawTotals(
  pdf: Pdf,
  invoice: InvoiceDocument,
  texts: InvoiceTexts,
  formats: Formats,
  top: number,
): void {
  const { subtotal, credit, tax, taxPercent, total, currency } = invoice;
  const due = roundToMinor(total, currency);
  const rows = [
    { label: texts.subtotal, value: subtotal, bold: false },
    ...(credit === 0n ? [] : [{ label: texts.credit, value: -credit, bold: false }]),
    ...(taxPercent === 0n
      ? []
      : [{ label: fillText(texts.tax, { percent: formats.percent(taxPercent) }), value: tax, bold: false }]),
    { label: texts.total, value: total, bold: true },
    ...(due === total ? [] : [{ label: texts.amountDue, value: due, bold: true }]),
  ];
  let y = top + 12;
  if (y + (rows.length + 1) * rowHeight > contentEnd) {
    pdf.addPage();
    y = page.margin;
  }
  for (const { label, value, bold } of rows) {
    const style = { font: bold ? 'bold' : 'regular', size: bold ? 10 : 9 } as const;
    if (label === texts.total) {
      rule(pdf, y - 1, invoice.brand.primary, left);
      y += 5;
    }
    write(pdf, label, { x: left, y, width: width / 2 + 20 }, style);
    write(pdf, formats.money(value), { x: left, y, width }, { ...style, align: 'right' });
    y += rowHeight;
  }
}
