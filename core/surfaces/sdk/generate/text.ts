/** Pieces of TypeScript text. */

/** The text one level deeper; its first line stands where it is put. */
export const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** A text literal, in the house's quotes. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A property's name, quoted where it must be. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** An object type of members, each of which ends its own line. */
export const braces = (members: readonly string[]): string =>
  members.length === 0 ? '{}' : `{\n  ${members.map(indented).join('\n  ')}\n}`;

/** A docstring with what stands below it; lines that are undefined are left out. Nothing in it can end the comment. */
export function documented(lines: readonly (string | undefined)[], below: string): string {
  const said = lines
    .filter((line) => line !== undefined && line !== '')
    .map((line) => line?.replace(/\s+/g, ' ').trim().replaceAll('*/', '*\\/') ?? '');
  if (said.length === 0) return below;
  return said.length === 1
    ? `/** ${said[0]} */\n${below}`
    : `/**\n${said.map((line) => ` * ${line}`).join('\n')}\n */\n${below}`;
}
