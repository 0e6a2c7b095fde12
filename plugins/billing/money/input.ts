import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { amountPattern } from '#core/kernel/schema/patterns.js';
import { text, type Schema } from '#core/kernel/schema/schema.js';
import { parseAmount } from './micros.js';

/** An amount above 0 in input. */
export const amountInput = (description: string): Schema<string> =>
  text(`${description} A decimal number above 0 with at most six decimal places, in the deployment’s currency.`, {
    pattern: amountPattern,
    maxLength: 21,
  });

/**
 * Reads an amount of `amountInput`.
 * @returns micro-units
 * @throws invalid_input for zero, negative and excessive amounts
 */
export function positiveAmount(field: string, given: string): bigint {
  const micros = parseAmount(given);
  if (micros === undefined || micros <= 0n)
    throw invalidField(field, 'must be a decimal number above 0 with at most six decimal places, such as 12.50');
  return micros;
}
