import { refusalOf } from '#core/kernel/errors/common.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import { list, text } from '#core/kernel/schema/schema.js';

/** Browser origins (RFC 6454): scheme, host and port, without a path. */
export const allowedOrigins = list(
  text('An origin such as https://app.example.com.', {
    pattern: '^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$',
    maxLength: 300,
  }),
  'For publishable keys: the browser origins that may use the key. Any origin by default.',
  { minItems: 1, maxItems: 50, uniqueItems: true },
);

/** Refuses a field for a reason that its schema cannot express. */
export const invalidInput = (field: string, problem: string): SvcError =>
  refusalOf.invalid_input({ field, problem, details: { field } });
