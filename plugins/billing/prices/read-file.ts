import { readFileSync } from 'node:fs';
import { isCountry } from '#core/kernel/schema/country.js';
import { replyProblem } from '#core/kernel/schema/validation/validate.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { parseAmount } from '../money/micros.js';
import { pricesFile } from './file-schema.js';
import { lineAt, linesOf } from './json-places.js';
import type { PriceEntry, PriceList } from './price-list.js';

type PricesFile = ValueOf<typeof pricesFile>;

/** Meters with prices by country. */
const byCountry: readonly string[] = ['sms.segment', 'sms.number_month'];

/**
 * Reads SVC_PRICES_FILE.
 * @throws Error whose message completes “SVC_PRICES_FILE …” and names the line
 */
export const readPricesFile = (path: string): PriceList => parsePrices(readText(path));

/** @throws Error like readPricesFile */
export function parsePrices(text: string): PriceList {
  const value = parseJson(text);
  const lines = linesOf(text);
  if (!isPricesFile(value)) {
    const problem = replyProblem(pricesFile, value) ?? 'is invalid';
    const [, field = '', rest = problem] = /^(\S+) (.*)$/s.exec(problem) ?? [];
    throw problemAt(lineAt(lines, field), `“${field}” ${rest}`);
  }
  for (const { place, problem } of problemsIn(value)) throw problemAt(lineAt(lines, place), `“${place}” ${problem}`);
  return { currency: value.currency, entries: value.prices.map(entryOf) };
}

const problemAt = (line: number, problem: string): Error => new Error(`has an error in line ${line}: ${problem}`);

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Error(`names a file that cannot be read (${code})`);
  }
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw problemAt(text.slice(0, wellFormed(text)).split('\n').length, 'the JSON is not valid there');
  }
}

/**
 * The number of characters of an invalid JSON text that could be the beginning of a valid one. Not every error of
 * JSON.parse gives a position.
 */
function wellFormed(text: string): number {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return message.includes('end of JSON input') || message.includes(`at position ${text.length}`);
  }
}

const isPricesFile = (value: unknown): value is PricesFile => replyProblem(pricesFile, value) === undefined;

/** Checks what the schema cannot express. */
function* problemsIn({ prices }: PricesFile): Generator<{ place: string; problem: string }> {
  const seen = new Map<string, number>();
  for (const [index, { meter, country, from, tiers }] of prices.entries()) {
    const place = `prices[${index}]`;
    if (country !== undefined && !byCountry.includes(meter))
      yield { place: `${place}.country`, problem: `must be omitted: ${meter} has one price for all countries` };
    if (country !== undefined && !isCountry(country))
      yield { place: `${place}.country`, problem: 'must be an ISO 3166-1 alpha-2 code such as DE' };
    const key = `${meter} ${country ?? ''} ${from}`;
    const before = seen.get(key);
    if (before !== undefined)
      yield { place, problem: `has the same meter, country and month as “prices[${before}]”; remove one of them` };
    seen.set(key, index);
    for (const [position, { upTo }] of tiers.entries()) {
      const tier = `${place}.tiers[${position}].upTo`;
      const isLast = position === tiers.length - 1;
      const lower = tiers[position - 1]?.upTo ?? 0;
      if (isLast && upTo !== null) yield { place: tier, problem: 'must be null in the last tier' };
      if (!isLast && upTo === null) yield { place: tier, problem: 'must be a number in every tier except the last' };
      if (upTo !== null && upTo <= lower)
        yield { place: tier, problem: `must be above ${lower}, the limit of the tier before` };
    }
  }
}

const entryOf = ({ meter, country, from, tiers }: PricesFile['prices'][number]): PriceEntry => ({
  meter,
  country: country ?? null,
  from,
  tiers: tiers.map(({ upTo, unitPrice }) => ({
    upTo: upTo === null ? null : BigInt(upTo),
    unitPrice: parseAmount(unitPrice) ?? 0n,
  })),
});
