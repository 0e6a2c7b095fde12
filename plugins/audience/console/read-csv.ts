/*
 * The head of a CSV, to choose where its columns go, before the server reads all of it with the rules of
 * audience.contact.import: delimiter by the header line, quotes, a byte order mark, `sep=;`.
 */

interface CsvHead {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const delimiters = [',', ';', '\t', '|'] as const;

/** The cells of a CSV, row by row. Blank lines are left out. */
export function* rowsOf(csv: string, delimiter: string): Generator<string[]> {
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < csv.length; at += 1) {
    const letter = csv.charAt(at);
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (csv[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (letter === '"' && cell === '') quoted = true;
    else if (letter === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (letter === '\n' || letter === '\r') {
      if (cells.length > 0 || cell !== '') yield [...cells, cell];
      [cells, cell] = [[], ''];
    } else cell += letter;
  }
  if (cells.length > 0 || cell !== '') yield [...cells, cell];
}

/**
 * The CSV without its byte order mark and its `sep=` line, and its delimiter: the one that the header line has most of.
 */
export function opened(csv: string): { body: string; delimiter: string } {
  const text = csv.replace(/^\uFEFF/, '');
  const named = /^sep=(.)\r?\n/i.exec(text);
  if (named) return { body: text.slice(named[0].length), delimiter: named[1] ?? ',' };
  const header = /^\s*([^\r\n]*)/.exec(text)?.[1] ?? '';
  const count = (delimiter: string): number => header.split(delimiter).length;
  return { body: text, delimiter: delimiters.reduce((best, each) => (count(each) > count(best) ? each : best)) };
}

/** Enough text for a header line and some rows. */
const headLength = 200_000;

/** The columns, and the first rows. @param limit rows at most */
export function headOf(csv: string, limit: number): CsvHead {
  const { body, delimiter } = opened(csv.slice(0, headLength));
  const rows: string[][] = [];
  for (const row of rowsOf(body, delimiter)) {
    rows.push(row);
    if (rows.length > limit) break;
  }
  const [columns = [], ...rest] = rows;
  return { columns: columns.map((column) => column.trim()), rows: rest };
}

const usualNames: readonly (readonly [string, RegExp])[] = [
  ['email', /^(?:e-?mail(?:[ _-]?address)?|mail|courriel|correo)$/i],
  ['phone', /^(?:phone(?:[ _-]?number)?|mobile|telephone|tel|cell)$/i],
  ['firstName', /^(?:first[ _-]?name|given[ _-]?name|vorname|pr[ée]nom|nombre)$/i],
  ['lastName', /^(?:last[ _-]?name|surname|family[ _-]?name|nachname|nom|apellidos?)$/i],
  ['externalId', /^(?:external[ _-]?id|id|customer[ _-]?(?:id|number)|user[ _-]?id)$/i],
  ['locale', /^(?:locale|language|lang|sprache|langue|idioma)$/i],
  ['timeZone', /^(?:time[ _-]?zone|tz)$/i],
];

/** What a column is likely to be, by its name: a field of the contact, else a property. */
export function targetFor(column: string): string {
  const [known] = usualNames.find(([, pattern]) => pattern.test(column)) ?? [];
  if (known !== undefined) return known;
  const key = keyOf(column);
  return key === '' ? '' : `properties.${key}`;
}

/** The key of a property for a column: “Favourite colour” is favouriteColour. */
export const keyOf = (column: string): string =>
  column
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word, at) => {
      const low = word === word.toUpperCase() ? word.toLowerCase() : word;
      return at === 0 ? low.charAt(0).toLowerCase() + low.slice(1) : low.charAt(0).toUpperCase() + low.slice(1);
    })
    .join('')
    .slice(0, 100);
