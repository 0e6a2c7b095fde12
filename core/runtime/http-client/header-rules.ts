/** Tokens (RFC 9110 section 5.6.2). */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Visible characters, spaces, tabs and the bytes above ASCII (RFC 9110 section 5.5): no CR, LF, NUL or other control.
 */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that undici derives from the URL, the body or the connection. */
const derivedHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
]);

/**
 * Checks headers before undici receives them: if undici rejects a header, it counts one of the origin's connections as
 * busy forever (7.30.2), so sixteen such requests block the origin.
 *
 * @param headers names and values
 * @returns undefined if they are valid, otherwise a message that names the header and not its value
 */
export function headerProblem(headers: Readonly<Record<string, string>>): string | undefined {
  for (const name in headers) {
    if (!fieldName.test(name)) return 'A header has a name that is not a token.';
    if (derivedHeaders.has(name.toLowerCase())) return `The header ${name} cannot be set.`;
    if (!fieldValue.test(headers[name] ?? '')) return `The header ${name} has a value with control characters.`;
  }
  return undefined;
}
