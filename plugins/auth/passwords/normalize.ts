import { text } from '#core/kernel/schema/schema.js';

/** The longest password that is accepted, in code points. */
export const maxPasswordLength = 256;

/**
 * A password in the form that is hashed: Unicode's NFKC, as NIST SP 800-63B (5.1.1.2) recommends, so that the same keys
 * give the same password on every system, whether it sends “é” as one code point or two, or full-width letters. All
 * spaces become U+0020, as in RFC 8265 (4.2.2). Letters keep their case. RFC 8265 itself uses NFC, which distinguishes
 * full-width letters from others.
 */
export const normalizePassword = (password: string): string => password.normalize('NFKC').replace(/\p{Zs}/gu, ' ');

/**
 * The texts from which a stored hash may have been made, without duplicates and the most likely first: svc's form, and
 * what other systems hash, which is the text as it is typed, or one of Unicode's normal forms (UAX #15). Their number
 * depends only on the text, so that the time of a refusal does not depend on what is stored.
 * @param isOwn whether svc made the hash; another system is more likely to have hashed what was typed
 */
export function passwordForms(password: string, isOwn: boolean): string[] {
  const normal = normalizePassword(password);
  const [nfc, nfkc, nfd, nfkd] = ['NFC', 'NFKC', 'NFD', 'NFKD'].map((form) => password.normalize(form));
  const others = [password, nfc, normal, nfkc, nfd, nfkd].filter((form) => form !== undefined);
  return [...new Set(isOwn ? [normal, ...others] : others)];
}

/** The length of a password, in code points of its normal form. */
export const passwordLength = (password: string): number => Array.from(normalizePassword(password)).length;

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
