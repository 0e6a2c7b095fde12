import { text } from '#core/kernel/schema/schema.js';

/** The longest password that is read, in code points: other systems may have taken longer ones than `maxPasswordLength`. */
const maxTyped = 1_024;

/** A password that the user has. */
export const typedPassword = (description: string) => text(description, { minLength: 1, maxLength: maxTyped });

/** A password that the user chooses. `checkNewPassword` bounds it, so that every other length has a code of its own. */
export const newPassword = (description: string) => text(description);
