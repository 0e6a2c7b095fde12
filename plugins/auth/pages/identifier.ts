/** A form may hold 64 KiB. */
const longest = 100;

/** Whether what was entered is meant as a phone number: digits, and what people write between them. */
export function isNumber(entered: string): boolean {
  const number = entered.trim();
  return number.length <= longest && /^\+?[\d\s().\-/]{4,}$/.test(number) && /\d/.test(number);
}

/** What was entered as a field of auth.signin.start. `00` in front of a country code is a plus sign. */
export const identifierOf = (entered: string): { email: string } | { phone: string } =>
  isNumber(entered) ? { phone: numberIn(entered) } : { email: entered };

/** A number as the operations take it. */
export const numberIn = (entered: string): string =>
  entered
    .trim()
    .replaceAll('/', ' ')
    .replace(/^00(?=[1-9])/, '+');
