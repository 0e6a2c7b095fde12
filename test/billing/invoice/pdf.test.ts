import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isRecord } from '#test/support/json.js';
import { languages, type Language } from '#core/kernel/language.js';
import { meters } from '#plugins/billing/meters.js';
import type { DocumentLine, InvoiceDocument } from '#plugins/billing/invoices/pdf/document.js';
import { describeLine, formatsOf } from '#plugins/billing/invoices/pdf/format.js';
import { readFontAddress, type FontAddress } from '#plugins/billing/settings/font-address.js';
import { renderInvoice } from '#plugins/billing/invoices/pdf/render.js';
import { invoiceTexts } from '#plugins/billing/invoices/pdf/translations.js';

const canReadPdf = spawnSync('pdftotext', ['-v']).error === undefined;
const at = new Date('2026-12-01T01:00:00Z');

const line = (changes: Partial<DocumentLine> = {}): DocumentLine => ({
  kind: 'usage',
  description: 'Emails',
  fee: null,
  meter: 'email.message',
  country: null,
  usagePeriod: null,
  projectName: 'Shop',
  quantity: 1_234_567n,
  unitPrice: 731n,
  amount: 902_468_477n,
  ...changes,
});

const invoice = (language: Language, lines: readonly DocumentLine[]): InvoiceDocument => ({
  language,
  brand: { name: 'Contoso Messaging', primary: '#0b6e4f', onPrimary: '#ffffff' },
  seller: { name: 'Contoso GmbH', address: null, taxId: null, email: null },
  buyer: { name: 'Łódź Ελλάς Україна', address: null, taxId: null, email: null },
  number: 'SVC-000042',
  period: '2026-11',
  status: 'open',
  currency: 'EUR',
  lines,
  subtotal: 902_468_477n,
  credit: 0n,
  tax: 74_453_649n,
  taxPercent: 82_500n,
  total: 976_922_126n,
  issuedAt: at,
  dueAt: new Date('2026-12-15T01:00:00Z'),
  paidAt: null,
});

const pagesOf = (pdf: Buffer): number =>
  Number(/\/Type \/Pages\s[^>]*?\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1]);
const textOf = (pdf: Buffer): string =>
  execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf })
    .toString()
    .replace(/[\u00a0\u202f]/g, ' ');

/** Every text of a language by its path. */
function textsIn(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return isRecord(value)
    ? Object.entries(value).flatMap(([name, text]) => textsIn(text, path === '' ? name : `${path}.${name}`))
    : [];
}
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([found]) => found).sort();

describe('The PDF of an invoice', () => {
  it('has the same texts with the same placeholders in every language, and names every meter', () => {
    const english = textsIn(invoiceTexts.en);
    for (const language of languages) {
      const texts = new Map(textsIn(invoiceTexts[language]));
      expect([...texts.keys()], language).to.deep.equal(english.map(([path]) => path));
      for (const [path, text] of english)
        expect(placeholders(texts.get(path) ?? ''), `${language} ${path}`).to.deep.equal(placeholders(text));
      for (const meter of meters) expect(texts.get(`meters.${meter}`), meter).to.match(/\S/);
    }
  });

  it('writes money exactly, in the language’s own way', () => {
    const money = (tag: string, micros: bigint, currency = 'EUR'): string =>
      formatsOf(tag, currency)
        .money(micros)
        .replace(/[\u00a0\u202f]/g, ' ');
    expect(money('en', 1_234_560_000n)).to.equal('€1,234.56');
    expect(money('de', 1_234_560_001n)).to.equal('1.234,560001 €');
    expect(money('fr', -400n)).to.equal('-0,0004 €');
    expect(money('pt-PT', 1_234_500_000n)).to.equal('1234,50 €');
    expect(money('en-GB', 1_234_500_000n)).to.equal('€1,234.50');
    expect(money('en', 5_000_000n, 'JPY')).to.equal('¥5');
    // A floating-point number would round it.
    expect(money('en', 9_007_199_254_740_993_000_001n)).to.equal('€9,007,199,254,740,993.000001');
  });

  it('writes town, region and postal code in the order of the country', () => {
    const addressed = (city: string, region: string | null, postalCode: string, country: string): string[] =>
      formatsOf('en', 'EUR').address({ line1: '1 High Street', line2: null, city, region, postalCode, country });
    expect(addressed('London', null, 'N1 1AA', 'GB')).to.deep.equal([
      '1 High Street',
      'London',
      'N1 1AA',
      'United Kingdom',
    ]);
    expect(addressed('Boston', 'MA', '02108', 'US')).to.deep.equal([
      '1 High Street',
      'Boston MA 02108',
      'United States',
    ]);
    expect(addressed('Berlin', null, '10115', 'DE')).to.deep.equal(['1 High Street', '10115 Berlin', 'Germany']);
  });

  it('says what each line is for', () => {
    const said = (changes: Partial<DocumentLine>): { title: string; notes: string[] } =>
      describeLine(line({ projectName: null, ...changes }), invoiceTexts.de, formatsOf('de', 'EUR'));
    expect(said({ meter: 'sms.segment', country: 'FR', usagePeriod: '2026-10' })).to.deep.equal({
      title: 'SMS-Segmente (Frankreich)',
      notes: ['Verbraucht im Oktober 2026'],
    });
    expect(said({ projectName: 'Laden' }).notes).to.deep.equal(['Projekt: Laden']);
    const single = { meter: null, description: 'Registration' };
    expect(said({ ...single, kind: 'passthrough' }).title).to.equal('Registration');
    const fee = { kind: 'sms_brand', name: 'Acme GmbH' } as const;
    expect(said({ ...single, kind: 'passthrough', fee }).title).to.equal(
      'Registrierung der Marke bei den Mobilfunkanbietern: Acme GmbH',
    );
    expect(said({ ...single, kind: 'carried_in', usagePeriod: '2026-09' })).to.deep.equal({
      title: 'Übertrag aus September 2026',
      notes: [],
    });
    expect(said({ kind: 'reversal', meter: 'sms.segment', country: 'FR', usagePeriod: '2026-10' })).to.deep.equal({
      title: 'SMS-Segmente (Frankreich)',
      notes: ['Gutschrift für Oktober 2026'],
    });
    expect(said({ ...single, kind: 'carried_out' }).title).to.equal('Übertrag auf eine spätere Rechnung');
  });

  it('is the same file for the same invoice', async () => {
    const [first, second] = [
      await renderInvoice(invoice('en', [line()]), at, null),
      await renderInvoice(invoice('en', [line()]), at, null),
    ];
    expect(first.equals(second)).to.equal(true);
    expect(pagesOf(first)).to.equal(1);
    expect(first.toString('latin1')).to.contain('/Lang (en)');
  });

  it('is formatted for the country of its reader: that of Portugal for Portuguese', async function () {
    if (!canReadPdf) this.skip();
    const address = { line1: 'Ulica 1', line2: null, city: 'Praha', region: null, postalCode: '110 00', country: 'CZ' };
    const buyer = { name: 'Acme', address, taxId: null, email: null };
    const textIn = async (language: Language, formatTag?: string): Promise<string> => {
      const document = { ...invoice(language, [line()]), buyer, ...(formatTag === undefined ? {} : { formatTag }) };
      return textOf(await renderInvoice(document, at, null));
    };
    expect(await textIn('pt'))
      .to.contain('Chéquia')
      .and.to.contain('902,468477 €');
    expect(await textIn('en', 'en-GB')).to.contain('15 December 2026');
    expect(await textIn('en')).to.contain('December 15, 2026');
  });

  it('goes on over as many pages as its lines need, with totals that stay together', async function () {
    const lines = Array.from({ length: 120 }, (_, index) => line({ projectName: `Project ${index}` }));
    for (const language of languages) {
      const pdf = await renderInvoice(invoice(language, lines), at, null);
      expect(pagesOf(pdf), language).to.be.within(4, 7);
    }
    if (!canReadPdf) this.skip();
    const pdf = await renderInvoice(invoice('en', lines), at, null);
    const pages = textOf(pdf).split('\f').slice(0, -1);
    expect(pages).to.have.length(pagesOf(pdf));
    for (const [index, text] of pages.entries())
      expect(text)
        .to.contain(`Page ${index + 1} of ${pages.length}`)
        .and.to.contain('SVC-000042');
    const all = pages.join('');
    for (let index = 0; index < 120; index += 1) expect(all).to.match(new RegExp(`Project ${index}\\b`));
    expect(all.match(/Unit price/g)?.length).to.be.at.least(pages.length - 1);
    const last = pages.at(-1) ?? '';
    for (const total of ['Subtotal', '€902.468477', 'Tax (8.25%)', 'Total', '€976.922126', 'Amount due', '€976.92'])
      expect(last).to.contain(total);
    expect(all).to.contain('Łódź Ελλάς Україна');
  });

  it('breaks texts that are longer than their column', async function () {
    if (!canReadPdf) this.skip();
    const word = 'X'.repeat(200);
    const long = {
      ...invoice('en', [line({ kind: 'passthrough', meter: null, description: word, projectName: null })]),
    };
    const text = textOf(await renderInvoice({ ...long, buyer: { ...long.buyer, name: 'Y'.repeat(120) } }, at, null));
    expect(text.match(/X/g)).to.have.length(200);
    expect(text.match(/Y/g)).to.have.length(120);
  });

  it('shows letters that its fonts lack in the operator’s font, and as question marks without one: never as empty boxes', async function () {
    if (!canReadPdf) this.skip();
    const path = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf');
    const named = (name: string): InvoiceDocument => {
      const document = invoice('en', [line({ projectName: name })]);
      return { ...document, buyer: { ...document.buyer, name } };
    };
    // Letters of mathematics stand for those of scripts whose fonts are too large for a test.
    const text = async (name: string, font: FontAddress | null): Promise<string> =>
      textOf(await renderInvoice(named(name), at, font));
    const font = { path, name: undefined };
    expect(await text('Büro 𝒜𝒞', font))
      .to.contain('Büro 𝒜𝒞')
      .and.to.contain('Project: Büro 𝒜𝒞');
    expect(await text('Büro 𝒜𝒞', null)).to.contain('Büro ??');
    // What neither has is one question mark each; spaces and joiners are none.
    expect(await text('株式会社 𝒜', font)).to.contain('???? 𝒜');
    expect(await text('Łódź\u00a0a\u200db', font)).not.to.contain('?');
    const without = await renderInvoice(named('Acme'), at, null);
    const unused = await renderInvoice(named('Acme'), at, font);
    expect(unused.length, 'a font that is not used is not embedded').to.be.below(without.length * 1.1);
  });

  it('takes no font that cannot be read, or that says not which one of a collection', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-font-'));
    const write = async (name: string, begin: string): Promise<string> => {
      await writeFile(join(folder, name), Buffer.from(begin, 'latin1'));
      return join(folder, name);
    };
    expect(() => readFontAddress('/nowhere/font.ttf')).to.throw(
      'names the file /nowhere/font.ttf, which cannot be read',
    );
    const text = await write('a.txt', 'text');
    expect(() => readFontAddress(text)).to.throw(`must be a TrueType or OpenType font, but ${text} is not`);
    const collection = await write('a.ttc', 'ttcf\0\x01');
    expect(() => readFontAddress(collection)).to.throw('add the PostScript name of one');
    expect(readFontAddress(`${collection}#Noto`)).to.deep.equal({ path: collection, name: 'Noto' });
    const otf = await write('a.otf', 'OTTO');
    expect(readFontAddress(otf)).to.deep.equal({ path: otf, name: undefined });
    await rm(folder, { recursive: true });
  });

  it('says of a draft that it is none', async function () {
    if (!canReadPdf) this.skip();
    const draft: InvoiceDocument = { ...invoice('en', []), number: null, status: 'draft', issuedAt: null, dueAt: null };
    const text = textOf(await renderInvoice(draft, at, null));
    expect(text).to.contain('This is not an invoice').and.to.contain('No usage.');
  });
});
