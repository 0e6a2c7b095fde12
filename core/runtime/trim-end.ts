/**
 * A text without some characters at its end. Not with a regular expression: one that ends with `+$` takes a time that
 * grows with the square of a run of these characters inside the text.
 * @param characters each of them is removed
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
