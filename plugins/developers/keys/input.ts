import { refusalOf } from '#core/kernel/errors/common.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import { list, text } from '#core/kernel/schema/schema.js';

/** Browser origins (RFC 6454): scheme, host and port, nothing behind. */
export const allowedOrigins = list(
  text('An origin such as https://app.example.com.', {
    pattern: '^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$',
    maxLength: 300,
  }),
  'For publishable keys: browser origins that may use it. Any, where nothing is said.',
  { minItems: 1, maxItems: 50, uniqueItems: true },
);

/** The refusal of a field that the schema alone cannot judge. */
export const invalidInput = (field: string, problem: string): SvcError =>
  refusalOf.invalid_input({ field, problem, details: { field } });
