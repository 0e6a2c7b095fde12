/** Tokens (RFC 9110 section 5.6.2). */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Visible characters, spaces, tabs and the bytes above ASCII (RFC 9110 section 5.5): no CR, LF, NUL or other control. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What follows from the URL, the body or the connection is undici's to write. */
const notOurs = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
]);

/**
 * Whether headers can be sent as they are. Asked before undici sees them, because a header that it throws at makes it
 * count one of the origin's connections as busy for ever (7.30.2; sixteen such requests and the origin is dead).
 *
 * @param headers names and values
 * @returns undefined, or a sentence that names the header and never its value
 */
export function headerProblem(headers: Readonly<Record<string, string>>): string | undefined {
  for (const name in headers) {
    if (!fieldName.test(name)) return 'A header has a name that is not a token.';
    if (notOurs.has(name.toLowerCase())) return `The header ${name} is not the caller's to set.`;
    if (!fieldValue.test(headers[name] ?? '')) return `The header ${name} has a value with control characters.`;
  }
  return undefined;
}
