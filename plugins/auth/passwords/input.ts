import { text } from '#core/kernel/schema/schema.js';

/** The longest password that is read, in code points: other systems may have taken longer ones than `maxPasswordLength`. */
const maxTyped = 1_024;

/** A password in an input. How long a new one may be is checked by `checkNewPassword`. */
export const typedPassword = (description: string) => text(description, { minLength: 1, maxLength: maxTyped });
