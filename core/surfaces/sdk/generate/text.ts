/* Helpers that write TypeScript source. */

/** Indents all lines but the first by one level. */
export const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** A string literal in single quotes. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A property name, quoted if it is not an identifier. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** An object type with one member per line. */
export const braces = (members: readonly string[]): string =>
  members.length === 0 ? '{}' : `{\n  ${members.map(indented).join('\n  ')}\n}`;

/** Puts a docstring above a declaration. Undefined lines are left out; an end-of-comment mark in a line is escaped. */
export function documented(lines: readonly (string | undefined)[], declaration: string): string {
  const texts = lines
    .filter((line) => line !== undefined && line !== '')
    .map((line) => line?.replace(/\s+/g, ' ').trim().replaceAll('*/', '*\\/') ?? '');
  if (texts.length === 0) return declaration;
  return texts.length === 1
    ? `/** ${texts[0]} */\n${declaration}`
    : `/**\n${texts.map((line) => ` * ${line}`).join('\n')}\n */\n${declaration}`;
}
