/** The line ends of a CSV. */
export const lineEnd = /\r\n|\r|\n/;

/** Cells of a row that are searched in its text: each search takes a time that grows with the text. */
const mostSearchedCells = 20;

/**
 * Whether the parser mistook a stray quote for the beginning of a cell, and several rows for one. If so, it keeps the
 * quote as part of the cell.
 * @param raw the text of the row
 */
export const hasStrayQuote = (cells: readonly string[], raw: string, delimiter: string): boolean =>
  cells
    .filter((cell) => cell.startsWith('"') && lineEnd.test(cell))
    .slice(0, mostSearchedCells)
    .some((cell) => raw.startsWith(cell) || occursIn(raw, `${delimiter}${cell}`));

/**
 * `raw.includes(text)` in a time that grows with their lengths (Knuth, Morris, Pratt): that of the engine grows with
 * their product if the text is periodic, 0.35 s for a row of 256 KiB (measured).
 */
function occursIn(raw: string, text: string): boolean {
  if (text.length > raw.length) return false;
  const lengths = borderLengths(text);
  let matched = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const unit = raw.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== unit) matched = lengths[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === unit) matched += 1;
    if (matched === text.length) return true;
  }
  return false;
}

/** For each beginning of a text, the length of its longest proper beginning that is also its end. */
function borderLengths(text: string): Uint32Array {
  const lengths = new Uint32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== unit) matched = lengths[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === unit) matched += 1;
    lengths[at] = matched;
  }
  return lengths;
}
