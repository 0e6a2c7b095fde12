/** Letters that no shell reads anything into, wherever they stand in a word. */
const harmless = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/** A text as one word of a POSIX shell: bare where it may be, else in single quotes, where nothing but their end has a meaning. */
export const shellWord = (text: string): string =>
  harmless.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
