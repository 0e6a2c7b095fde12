import { named, object, text } from './schema.js';

export const Money = named(
  'Money',
  object(
    {
      currency: text('ISO 4217 code, such as USD.'),
      amount: text('A decimal number: 12.50, 0.0004. At most six decimals.'),
    },
    { description: 'An amount of money.' },
  ),
);
