/** Dots in place of what is not shown; always as many, so that they do not tell a length. */
const dots = '•••';

/** An address that its owner recognises: `a•••@example.com`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}${dots}${address.slice(at)}`;
}

/** A number that its owner recognises: `+49•••789`. */
export const maskPhone = (number: string): string => `${number.slice(0, 3)}${dots}${number.slice(-3)}`;
