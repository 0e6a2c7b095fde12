import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { PageRequest } from '#core/kernel/page.js';

/**
 * The entered code. Anything else is refused here, because the operations count it as one of a small number of tries.
 * @throws invalid_input
 */
export function sixDigits({ form }: PageRequest): string {
  const code = (form.get('code') ?? '').replace(/\s/g, '');
  if (!/^\d{6}$/.test(code)) throw invalidField('code', 'must be six digits');
  return code;
}
