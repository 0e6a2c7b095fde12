/** The longest password that is accepted, in code points. */
export const maxPasswordLength = 256;

/**
 * A password as it is hashed: in Unicode's form NFKC, as NIST SP 800-63B (5.1.1.2) asks, so that the same keys give the same password on every
 * system, whether it sends “é” as one code point or two, or letters in their full width. All spaces become U+0020, as in RFC 8265 (4.2.2); letters
 * keep their case. RFC 8265 itself takes NFC, which keeps full-width letters apart from others.
 */
export const normalizePassword = (password: string): string => password.normalize('NFKC').replace(/\p{Zs}/gu, ' ');

/**
 * The texts that a stored hash may have been made from, none twice: svc's form, then what other systems hash, which
 * is the text as it is typed, or one of Unicode's normal forms (UAX #15). All are tried whatever is stored, so that
 * the time of a refusal depends only on the text.
 */
export const passwordForms = (password: string): string[] => [
  ...new Set([
    normalizePassword(password),
    password,
    ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => password.normalize(form)),
  ]),
];

/** How long a password is, in code points of its normal form. */
export const passwordLength = (password: string): number => Array.from(normalizePassword(password)).length;
