import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { defineOperation } from '#core/kernel/operation.js';
import { validateCountry } from '#core/kernel/schema/country.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { countryPattern } from '#core/kernel/schema/patterns.js';
import { list, object, optional, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { periodOf } from '../../periods/months.js';
import { pricesOf, type PriceEntry } from '../../prices/price-list.js';
import { meter, Price } from '../../resources.js';
import { tariffOf } from '../../settings/tariff.js';
import { decimalsOf, formatAmount } from '../../money/micros.js';

/** How `before` names a price: `sms.segment`, `sms.segment.DE`. */
const nameOf = ({ meter: counted, country }: PriceEntry): string =>
  country === null ? counted : `${counted}.${country}`;

export default defineOperation({
  name: 'billing.price.list',
  summary: 'Lists the price of each meter, with tiers and countries.',
  description:
    'Prices are those of the current month. A meter without a price is free. With `country`, returns the price for that country: its own, or the price for all other countries. Tiers count the units of the whole account in a calendar month (UTC). Usage of test environments is free.',
  keywords: 'cost tariff rate pricing how much',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    meter: optional(meter),
    country: optional(text('ISO 3166-1 alpha-2, such as DE.', { pattern: countryPattern })),
    ...page,
  }),
  output: object({
    currency: text('The ISO 4217 code of all prices and invoices.'),
    prices: list(Price, 'Sorted by meter, then country, with the price for all other countries first.'),
    nextBefore,
  }),
  example: {
    input: { meter: 'email.message' },
    output: {
      currency: 'USD',
      prices: [
        {
          meter: 'email.message',
          country: null,
          tiers: [
            { upTo: 1000, unitPrice: '0.00' },
            { upTo: null, unitPrice: '0.0004' },
          ],
          currency: 'USD',
        },
      ],
      nextBefore: null,
    },
  },

  async handle({ meter: wanted, country, before, limit }, { clock, deployment }) {
    validateCountry(country ?? null);
    const { list: prices, currency } = tariffOf(deployment);
    const current = pricesOf(prices, periodOf(clock.now()));
    const found = current.entries.filter(
      (entry) =>
        (wanted === undefined || entry.meter === wanted) &&
        (country === undefined || current.priceOf(entry.meter, country) === entry),
    );
    const start = before === undefined ? 0 : found.findIndex((entry) => nameOf(entry) === before) + 1;
    if (before !== undefined && start === 0) throw invalidField('before', 'must be the nextBefore of an earlier page');
    const shown = found.slice(start, start + limit);
    const last = shown.at(-1);
    return Promise.resolve({
      currency,
      prices: shown.map((entry) => presentPrice(entry, currency)),
      nextBefore: last && start + limit < found.length ? nameOf(last) : null,
    });
  },
});

/** A price as replies carry it. @param currency ISO 4217 */
const presentPrice = ({ meter, country, tiers }: PriceEntry, currency: string): ValueOf<typeof Price> => ({
  meter,
  country,
  tiers: tiers.map(({ upTo, unitPrice }) => ({
    upTo: upTo === null ? null : Number(upTo),
    unitPrice: formatAmount(unitPrice, decimalsOf(currency)),
  })),
  currency,
});
