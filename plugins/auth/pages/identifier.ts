/** Whether what was entered is meant as a phone number: digits, and what people write between them. */
export const isNumber = (entered: string): boolean => /^\s*\+?[\d\s().\-/]{4,}$/.test(entered) && /\d/.test(entered);

/** What was entered as a field of auth.signin.start. `00` in front of a country code is a plus sign. */
export const identifierOf = (entered: string): { email: string } | { phone: string } =>
  isNumber(entered) ? { phone: numberIn(entered) } : { email: entered };

/** A number as the operations take it. */
export const numberIn = (entered: string): string =>
  entered
    .trim()
    .replaceAll('/', ' ')
    .replace(/^00(?=[1-9])/, '+');
