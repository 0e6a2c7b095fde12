import { fillText } from '#core/surfaces/pages/texts.js';
import type { InvoiceDocument, Party } from './document.js';
import type { Formats } from './format.js';
import { contentWidth, heightOf, ink, page, write, type Pdf } from './sheet.js';
import type { InvoiceTexts } from './texts.js';

/** Writes the seller’s band, both parties and the facts of the invoice. @returns where the lines may begin */
export function drawHead(pdf: Pdf, invoice: InvoiceDocument, texts: InvoiceTexts, formats: Formats): number {
  const below = drawBand(pdf, invoice, texts);
  const half = contentWidth / 2 - 12;
  const right = page.margin + contentWidth / 2 + 12;
  const ends = [
    drawParty(pdf, texts.from, invoice.seller, { x: page.margin, y: below, width: half }, texts, formats),
    drawParty(pdf, texts.to, invoice.buyer, { x: right, y: below, width: half }, texts, formats),
  ];
  return drawFacts(pdf, factsOf(invoice, texts, formats), Math.max(...ends) + 20) + 18;
}

function drawBand(pdf: Pdf, { brand, status, number }: InvoiceDocument, texts: InvoiceTexts): number {
  const padding = 16;
  const title = status === 'draft' ? texts.draft : texts.invoice;
  const width = contentWidth / 2 - padding * 2;
  const left = { font: 'bold', size: 15, color: brand.onPrimary } as const;
  const height = Math.max(heightOf(pdf, brand.name, width, left), 28) + padding * 2;
  pdf.rect(page.margin, page.margin, contentWidth, height).fill(brand.primary);
  write(pdf, brand.name, { x: page.margin + padding, y: page.margin + padding, width }, left);
  const box = { x: page.margin + contentWidth / 2 + padding, y: page.margin + padding - 2, width };
  const used = write(pdf, title, box, { ...left, size: 15, align: 'right' });
  if (number !== null)
    write(pdf, number, { ...box, y: box.y + used + 1 }, { size: 9, color: brand.onPrimary, align: 'right' });
  const end = page.margin + height;
  if (status !== 'draft') return end + 22;
  return end + 10 + write(pdf, texts.draftNote, { x: page.margin, y: end + 10, width: contentWidth }) + 16;
}

function drawParty(
  pdf: Pdf,
  label: string,
  party: Party,
  box: { x: number; y: number; width: number },
  texts: InvoiceTexts,
  formats: Formats,
): number {
  let y = box.y + write(pdf, label, box, { size: 8, color: ink.muted }) + 2;
  y += write(pdf, party.name, { ...box, y }, { font: 'bold', size: 10 }) + 1;
  const rest = [
    ...(party.address === null ? [] : formats.address(party.address)),
    ...(party.taxId === null ? [] : [fillText(texts.taxId, { id: party.taxId })]),
    ...(party.email === null ? [] : [party.email]),
  ];
  for (const line of rest) y += write(pdf, line, { ...box, y }) + 1;
  return y;
}

interface Fact {
  readonly label: string;
  readonly value: string;
}

function factsOf(invoice: InvoiceDocument, texts: InvoiceTexts, formats: Formats): Fact[] {
  const { number, period, issuedAt, dueAt, paidAt, status } = invoice;
  return [
    ...(number === null ? [] : [{ label: texts.number, value: number }]),
    { label: texts.period, value: formats.month(period) },
    ...(issuedAt === null ? [] : [{ label: texts.issued, value: formats.date(issuedAt) }]),
    ...(paidAt === null
      ? dueAt === null
        ? []
        : [{ label: texts.due, value: formats.date(dueAt) }]
      : [{ label: texts.paid, value: formats.date(paidAt) }]),
    { label: texts.status, value: texts.statuses[status] },
  ];
}

/** Writes the facts side by side, each under its label. @returns their lower end */
function drawFacts(pdf: Pdf, facts: readonly Fact[], top: number): number {
  const width = contentWidth / facts.length;
  const ends = facts.map(({ label, value }, index) => {
    const box = { x: page.margin + index * width, y: top, width: width - 8 };
    const y = top + write(pdf, label, box, { size: 8, color: ink.muted }) + 2;
    return y + write(pdf, value, { ...box, y }, { font: 'bold' });
  });
  return Math.max(...ends);
}
