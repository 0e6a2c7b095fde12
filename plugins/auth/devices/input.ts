import { text } from '#core/kernel/schema/schema.js';

export const userCode = text('The code that the device shows; case, spaces and hyphens do not matter.', {
  minLength: 1,
  maxLength: 40,
});
