/** Texts without characters that are special to a shell. */
const unquoted = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/** Quotes a text for a POSIX shell, if needed. */
export const shellWord = (text: string): string =>
  unquoted.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
