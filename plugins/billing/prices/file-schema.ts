import { countryPattern, monthPattern, pricePattern } from '#core/kernel/schema/patterns.js';
import { integer, list, nullable, object, oneOf, optional, text } from '#core/kernel/schema/schema.js';
import { meters } from '../meters.js';

/** The contents of SVC_PRICES_FILE. docs/prices.schema.json is generated from it. */
export const pricesFile = object(
  {
    $schema: optional(text('Where editors find this schema.')),
    currency: text('ISO 4217 code; the same as SVC_CURRENCY.', { pattern: '^[A-Z]{3}$' }),
    prices: list(
      object({
        meter: oneOf(meters, 'What is counted.'),
        country: optional(
          text('ISO 3166-1 alpha-2, for texts and numbers; absent for every country without a price of its own.', {
            pattern: countryPattern,
          }),
        ),
        from: text('The first month that it holds in, YYYY-MM in UTC, until a later one replaces it.', {
          pattern: monthPattern,
        }),
        tiers: list(
          object({
            // JSON represents it exactly.
            upTo: nullable(
              integer('The last unit of the month at this price; null for all further ones.', {
                minimum: 1,
                maximum: Number.MAX_SAFE_INTEGER,
              }),
            ),
            unitPrice: text('The price of one unit: a decimal number of at most six decimals.', {
              pattern: pricePattern,
            }),
          }),
          'Graduated: each unit costs the price of the tier that it falls into.',
          { minItems: 1, maxItems: 50 },
        ),
      }),
      'One for each meter, country and month that a price changes in. A meter without one is free.',
      { maxItems: 10_000 },
    ),
  },
  { description: 'The prices of a deployment.' },
);
