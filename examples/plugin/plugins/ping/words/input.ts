import { object, text } from '#core/kernel/schema/schema.js';

export const wordInput = object({ word: text('What to say.', { minLength: 1, maxLength: 100 }) });
export const wordReply = object({ word: text() });
