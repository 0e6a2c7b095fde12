/** Dots in place of hidden characters. Their number is fixed, so that it does not reveal a length. */
const dots = '•••';

/** An address in a form that its owner recognises: `a•••@example.com`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}${dots}${address.slice(at)}`;
}

/** A number in a form that its owner recognises: `+49•••789`. */
export const maskPhone = (number: string): string => `${number.slice(0, 3)}${dots}${number.slice(-3)}`;
