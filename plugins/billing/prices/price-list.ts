import { createHash } from 'node:crypto';
import { counted } from '#config/counted.js';
import type { Meter } from '../meters.js';

/** A graduated tier: the units of a month up to `upTo` cost `unitPrice` each. */
export interface Tier {
  /** Null for all further units: only the last tier has it. */
  readonly upTo: bigint | null;
  /** Micro-units. */
  readonly unitPrice: bigint;
}

/** A price of the prices file. */
export interface PriceEntry {
  readonly meter: Meter;
  /** Null for every country that has no separate price. */
  readonly country: string | null;
  /** The first month in which it applies, YYYY-MM. */
  readonly from: string;
  readonly tiers: readonly Tier[];
}

/** The prices file. */
export interface PriceList {
  readonly currency: string;
  readonly entries: readonly PriceEntry[];
}

/** The prices of one month's units, by meter and country. */
export interface Prices {
  /** Sorted by meter, then country; the price for all other countries first. */
  readonly entries: readonly PriceEntry[];
  /** 16 bytes that differ if the entries differ. */
  readonly digest: Buffer;
  /** The price of a meter in a country; undefined if it is free. @param country empty or null if the meter has none */
  priceOf(meter: string, country: string | null): PriceEntry | undefined;
}

const textOf = ({ meter, country, tiers }: Omit<PriceEntry, 'from'>): string =>
  JSON.stringify([meter, country, ...tiers.map(({ upTo, unitPrice }) => `${upTo ?? ''} ${unitPrice}`)]);

/** The number of its prices and a digest of them, for messages: `12 prices, 3f9a0c12ab45`. */
export function priceListName({ currency, entries }: PriceList): string {
  const texts = entries.map(({ from, ...entry }) => `${from} ${textOf(entry)}`);
  const digest = createHash('sha256')
    .update([currency, ...texts.sort()].join('\n'))
    .digest('hex');
  return `${counted(entries.length, 'price')}, ${digest.slice(0, 12)}`;
}

const keyOf = (meter: string, country: string | null): string => `${meter} ${country ?? ''}`;

const monthly = new WeakMap<PriceList, Map<string, Prices>>();

/**
 * The prices of a month: for each meter and country, the entry with the latest `from` that has begun.
 * @param list undefined if everything is free
 * @param period YYYY-MM
 */
export function pricesOf(list: PriceList | undefined, period: string): Prices {
  if (!list) return free;
  const known = monthly.get(list) ?? new Map<string, Prices>();
  monthly.set(list, known);
  const found = known.get(period);
  if (found) return found;
  const made = pricesAt(list, period);
  known.set(period, made);
  return made;
}

const digestOf = (entries: readonly PriceEntry[]): Buffer =>
  createHash('sha256')
    .update(`[${entries.map(textOf).join(',')}]`)
    .digest()
    .subarray(0, 16);

const free: Prices = { entries: [], digest: digestOf([]), priceOf: () => undefined };

function pricesAt(list: PriceList, period: string): Prices {
  const current = new Map<string, PriceEntry>();
  for (const entry of list.entries) {
    const key = keyOf(entry.meter, entry.country);
    const before = current.get(key);
    if (entry.from <= period && (!before || before.from < entry.from)) current.set(key, entry);
  }
  const entries = [...current].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  return {
    entries,
    digest: digestOf(entries),
    priceOf: (meter, country) =>
      (country === null || country === '' ? undefined : current.get(keyOf(meter, country))) ??
      current.get(keyOf(meter, null)),
  };
}
