import { formatTag, textTag } from '#core/kernel/language.js';
import { fillText } from '#core/surfaces/pages/texts.js';
import type { InvoiceDocument } from './document.js';
import { formatsOf } from './format.js';
import { drawHead } from './head.js';
import { drawLines } from './lines.js';
import { closePdf, contentEnd, contentWidth, ink, openPdf, page, rule, write, type Pdf } from './sheet.js';
import { drawTotals } from './totals.js';
import type { FontAddress } from '../../settings/font-address.js';
import type { InvoiceTexts } from './texts.js';
import { invoiceTexts } from './translations.js';

/**
 * Renders an invoice or draft as a PDF on A4 pages with embedded fonts.
 * @param furtherFont for letters that the fonts of svc do not have
 * @param at the file's time stamp; the same invoice and time produce the same bytes
 */
export async function renderInvoice(
  invoice: InvoiceDocument,
  at: Date,
  furtherFont: FontAddress | null,
): Promise<Buffer> {
  const texts = invoiceTexts[invoice.language];
  const formats = formatsOf(invoice.formatTag ?? formatTag(invoice.language, []), invoice.currency);
  const name = invoice.number === null ? `${texts.draft} ${invoice.period}` : `${texts.invoice} ${invoice.number}`;
  const pdf = await openPdf({
    title: name,
    author: invoice.seller.name,
    lang: textTag(invoice.language),
    at,
    furtherFont,
  });
  const top = drawHead(pdf, invoice, texts, formats);
  const end = drawLines(pdf, invoice, texts, formats, top);
  drawTotals(pdf, invoice, texts, formats, end);
  drawFooters(pdf, `${invoice.seller.name} · ${name}`, texts);
  return closePdf(pdf);
}

function drawFooters(pdf: Pdf, label: string, texts: InvoiceTexts): void {
  const { count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index);
    const y = contentEnd + 14;
    const style = { size: 8, color: ink.muted } as const;
    rule(pdf, y - 6);
    write(pdf, label, { x: page.margin, y, width: contentWidth - 110 }, style);
    const number = fillText(texts.page, { page: String(index + 1), pages: String(count) });
    write(pdf, number, { x: page.margin + contentWidth - 100, y, width: 100 }, { ...style, align: 'right' });
  }
}
