import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { PageRequest } from '#core/kernel/page.js';
import { typedCode, typedDigits } from '#core/kernel/schema/typed.js';

/** A form may contain 64 KiB. */
const longest = 100;

/** Whether the entered text is meant as a phone number: digits, and the characters that people write between them. */
export function isNumber(entered: string): boolean {
  const number = typedDigits(entered.slice(0, longest + 1)).trim();
  return number.length <= longest && /^\+?[\d\s().\-/]{4,}$/.test(number) && /\d/.test(number);
}

/** The entered text as a field of auth.signin.start. `00` before a country code is a plus sign. */
export const identifierOf = (entered: string): { email: string } | { phone: string } =>
  isNumber(entered) ? { phone: numberIn(entered) } : { email: entered };

/** A number in the form that the operations accept. */
export const numberIn = (entered: string): string =>
  typedDigits(entered.slice(0, longest))
    .trim()
    .replace(/^00(?=[1-9])/, '+');

/**
 * The entered code. Anything else is refused here, because the operations count it as one of a small number of tries.
 * @throws invalid_input
 */
export function sixDigits({ form }: PageRequest): string {
  const code = typedCode((form.get('code') ?? '').slice(0, longest));
  if (!/^\d{6}$/.test(code)) throw invalidField('code', 'must be six digits');
  return code;
}
