import { text } from '#core/kernel/schema/schema.js';

export const userCode = text('The code that the device shows. Case, spaces and hyphens are ignored.', {
  minLength: 1,
  maxLength: 40,
});
