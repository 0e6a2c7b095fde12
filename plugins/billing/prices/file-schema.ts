import { countryPattern, monthPattern, pricePattern } from '#core/kernel/schema/patterns.js';
import { integer, list, nullable, object, oneOf, optional, text } from '#core/kernel/schema/schema.js';
import { meters } from '../meters.js';

/** The contents of SVC_PRICES_FILE. docs/prices.schema.json is generated from it. */
export const pricesFile = object(
  {
    $schema: optional(text('The URL or path of this schema, for editors.')),
    currency: text('ISO 4217 code. Must equal SVC_CURRENCY.', { pattern: '^[A-Z]{3}$' }),
    prices: list(
      object({
        meter: oneOf(meters, 'What is metered.'),
        country: optional(
          text('ISO 3166-1 alpha-2, for texts and numbers; omit for every country without its own price.', {
            pattern: countryPattern,
          }),
        ),
        from: text(
          'The first month in which the price applies, YYYY-MM in UTC. It applies until a later price replaces it.',
          {
            pattern: monthPattern,
          },
        ),
        tiers: list(
          object({
            // JSON represents it exactly.
            upTo: nullable(
              integer('The last unit of the month at this price; null for all remaining units.', {
                minimum: 1,
                maximum: Number.MAX_SAFE_INTEGER,
              }),
            ),
            unitPrice: text('The price of one unit: a decimal number with at most six decimal places.', {
              pattern: pricePattern,
            }),
          }),
          'Graduated: each unit costs the price of the tier it falls into.',
          { minItems: 1, maxItems: 50 },
        ),
      }),
      'One entry for each meter, country and month in which a price changes. A meter without a price is free.',
      { maxItems: 10_000 },
    ),
  },
  { description: 'The prices of a deployment.' },
);
