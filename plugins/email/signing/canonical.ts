/* The canonical form “relaxed” of DKIM (RFC 6376 §3.4.2, §3.4.4). Texts are latin1: one character for each octet. */

/** A header field as it is in the message, folds included, without its last CRLF. */
export interface Field {
  /** In lower case. */
  readonly name: string;
  readonly text: string;
}

/** A message, split at its empty line. */
export interface SplitMessage {
  readonly fields: readonly Field[];
  readonly body: string;
}

/** Splits a message that `composeMessage` made: every line ends with CRLF. */
export function splitMessage(raw: Buffer): SplitMessage {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.toString('latin1', 0, end === -1 ? raw.length : end);
  return {
    fields: head
      .split(/\r\n(?![ \t])/)
      .filter((text) => text !== '')
      .map((text) => ({ name: text.slice(0, text.indexOf(':')).trim().toLowerCase(), text })),
    body: end === -1 ? '' : raw.toString('latin1', end + 4),
  };
}

/** One field, without CRLF at its end. */
export function relaxedField({ name, text }: Field): string {
  const value = text
    .slice(text.indexOf(':') + 1)
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ');
  // Not trim(), which removes other characters too.
  return `${name}:${value.replace(/^ /, '').replace(/ $/, '')}`;
}

/** The body. Every step is linear in its length, regardless of its content. */
export function relaxedBody(body: string): string {
  const spaced = /\t| {2}/.test(body) ? body.replaceAll(/[ \t]+/g, ' ') : body;
  const trimmed = spaced.includes(' \r\n') ? spaced.replaceAll(' \r\n', '\r\n') : spaced;
  let end = trimmed.endsWith(' ') ? trimmed.length - 1 : trimmed.length;
  while (trimmed.startsWith('\r\n', end - 2) && end >= 2) end -= 2;
  return end === 0 ? '' : `${trimmed.slice(0, end)}\r\n`;
}
