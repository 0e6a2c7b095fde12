import { fillText, type PageLanguage } from '#core/surfaces/pages/texts.js';
import { decimalsOf, formatAmount } from '../../money/micros.js';
import type { DocumentLine, Party } from './document.js';
import type { InvoiceTexts } from './texts.js';

/** Decimals of a micro-unit. */
const microDecimals = 6;

const isNumeric = (text: string): text is `${number}` => /^-?\d+\.\d+$/.test(text);

/** The exact decimal of micro-units: Intl formats a text without the rounding of a floating-point number. */
function decimalText(micros: bigint): `${number}` {
  const text = formatAmount(micros, microDecimals);
  if (!isNumeric(text)) throw new Error(`Not a decimal: ${text}.`);
  return text;
}

/** How numbers, money and dates are written in one language. */
export interface Formats {
  /** Micro-units with the currency’s sign; all decimal places that are not zero, at least the currency’s own. */
  money(micros: bigint): string;
  count(value: bigint): string;
  /** @param percent in ten-thousandths of a percent */
  percent(percent: bigint): string;
  date(time: Date): string;
  /** `2026-11` → `November 2026`. */
  month(period: string): string;
  /** @param code ISO 3166-1 alpha-2 */
  country(code: string): string;
  /** The lines of a postal address. */
  address(address: NonNullable<Party['address']>): string[];
}

/** @param currency ISO 4217 */
export function formatsOf(language: PageLanguage, currency: string): Formats {
  const money = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimalsOf(currency),
    maximumFractionDigits: microDecimals,
  });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: microDecimals });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const countries = new Intl.DisplayNames(language, { type: 'region' });
  const country = (code: string): string => countries.of(code) ?? code;
  return {
    money: (micros) => money.format(decimalText(micros)),
    count: (value) => number.format(value),
    percent: (percent) => `${number.format(Number(percent) / 10_000)} %`,
    date: (time) => date.format(time),
    month: (period) => month.format(new Date(`${period}-01T00:00:00Z`)),
    country,
    address: ({ line1, line2, city, region, postalCode, country: code }) =>
      [
        line1,
        line2,
        [postalCode, city].filter((part) => part !== null).join(' '),
        region,
        code === null ? null : country(code),
      ].flatMap((line) => (line === null || line === '' ? [] : [line])),
  };
}

/** What a line says: its description, and below it smaller ones such as the project. */
export function describeLine(
  line: DocumentLine,
  texts: InvoiceTexts,
  formats: Formats,
): { title: string; notes: string[] } {
  return {
    title: titleOf(line, texts, formats),
    notes: [
      ...(line.projectName === null ? [] : [fillText(texts.project, { name: line.projectName })]),
      ...(line.period === null ? [] : [fillText(texts.late, { period: formats.month(line.period) })]),
    ],
  };
}

function titleOf({ subject }: DocumentLine, texts: InvoiceTexts, formats: Formats): string {
  switch (subject.kind) {
    case 'passthrough':
      return subject.description;
    case 'carried_in':
      return fillText(texts.carriedIn, { period: formats.month(subject.period) });
    case 'carried_out':
      return texts.carriedOut;
    case 'usage': {
      const { meter, country } = subject;
      const name = texts.meters[meter] ?? meter;
      return country === null ? name : `${name} (${formats.country(country)})`;
    }
  }
}
