import { fillText } from '#core/surfaces/pages/texts.js';
import { decimalsOf, formatAmount } from '../../money/micros.js';
import type { DocumentLine, Party } from './document.js';
import type { InvoiceTexts } from './texts.js';

/** Decimal places of a micro-unit. */
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
  /**
   * Micro-units with the currency’s sign: all decimal places that are not zero, and at least as many as the currency
   * has.
   */
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

/**
 * @param tag BCP 47, see `formatTag`
 * @param currency ISO 4217
 */
export function formatsOf(tag: string, currency: string): Formats {
  const money = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimalsOf(currency),
    maximumFractionDigits: microDecimals,
  });
  const number = new Intl.NumberFormat(tag, { maximumFractionDigits: microDecimals });
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 4 });
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const countries = new Intl.DisplayNames(tag, { type: 'region' });
  const country = (code: string): string => countries.of(code) ?? code;
  return {
    money: (micros) => money.format(decimalText(micros)),
    count: (value) => number.format(value),
    percent: (tenThousandths) => percent.format(Number(tenThousandths) / 1_000_000),
    date: (time) => date.format(time),
    month: (period) => month.format(new Date(`${period}-01T00:00:00Z`)),
    country,
    address: (given) =>
      [given.line1, given.line2, ...townLines(given), given.country === null ? null : country(given.country)].flatMap(
        (line) => (line === null || line === '' ? [] : [line]),
      ),
  };
}

const codeOnItsOwn = new Set(['GB', 'IE', 'IM', 'JE', 'GG']);
const codeAfterRegion = new Set(['US', 'CA', 'AU', 'PR']);

/** City, region and postal code in the order that the country uses (Universal Postal Union, S42). */
function townLines({ city, region, postalCode, country }: NonNullable<Party['address']>): (string | null)[] {
  const line = (...parts: (string | null)[]): string => parts.filter((part) => part !== null).join(' ');
  if (country !== null && codeOnItsOwn.has(country)) return [city, region, postalCode];
  if (country !== null && codeAfterRegion.has(country)) return [line(city, region, postalCode)];
  return [line(postalCode, city), region];
}

/** The text of a line: its description, and smaller lines below it, such as the project. */
export function describeLine(
  line: DocumentLine,
  texts: InvoiceTexts,
  formats: Formats,
): { title: string; notes: string[] } {
  const { kind, projectName, usagePeriod } = line;
  return {
    title: titleOf(line, texts, formats),
    notes: [
      ...(projectName === null ? [] : [fillText(texts.project, { name: projectName })]),
      ...((kind !== 'usage' && kind !== 'reversal') || usagePeriod === null
        ? []
        : [fillText(kind === 'usage' ? texts.late : texts.givenBack, { period: formats.month(usagePeriod) })]),
    ],
  };
}

function titleOf(line: DocumentLine, texts: InvoiceTexts, formats: Formats): string {
  const { kind, description, fee, meter, country, usagePeriod } = line;
  if (fee !== null) return fillText(texts.fees[fee.kind], { name: fee.name });
  if (kind === 'carried_out') return texts.carriedOut;
  if (kind === 'carried_in' && usagePeriod !== null)
    return fillText(texts.carriedIn, { period: formats.month(usagePeriod) });
  if ((kind !== 'usage' && kind !== 'reversal') || meter === null) return description;
  return meterTitle(meter, country, texts, formats);
}

/** The name of the counted thing, with its country if it has one. */
export function meterTitle(
  meter: string,
  country: string | null,
  texts: Pick<InvoiceTexts, 'meters'>,
  formats: Pick<Formats, 'country'>,
): string {
  const name = texts.meters[meter] ?? meter;
  return country === null ? name : `${name} (${formats.country(country)})`;
}
