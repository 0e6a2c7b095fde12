import { text } from '#core/kernel/schema/schema.js';

/**
 * The longest password that is read, in code points: other systems may have accepted passwords longer than
 * `maxPasswordLength`.
 */
const maxTyped = 1_024;

/** A password that the user has. */
export const typedPassword = (description: string) => text(description, { minLength: 1, maxLength: maxTyped });

/**
 * A password that the user chooses. `checkNewPassword` limits its length, so that each invalid length has its own error
 * code.
 */
export const newPassword = (description: string) => text(description);
