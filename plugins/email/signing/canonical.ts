/* The canonical form “relaxed” of DKIM (RFC 6376 §3.4.2, §3.4.4). Texts are latin1: one character for each octet. */

/** A header field as it is in the message, folds included, without its last CRLF. */
export interface Field {
  /** In lower case. */
  readonly name: string;
  readonly text: string;
}

/** A message, split at its empty line. */
interface SplitMessage {
  readonly fields: readonly Field[];
  readonly body: Buffer;
}

/** Splits a message that `composeMessage` made: every line ends with CRLF. */
export function splitMessage(raw: Buffer): SplitMessage {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.toString('latin1', 0, end === -1 ? raw.length : end);
  return { fields: fieldsOf(head), body: end === -1 ? raw.subarray(raw.length) : raw.subarray(end + 4) };
}

function fieldsOf(head: string): Field[] {
  const fields: Field[] = [];
  for (let from = 0; from < head.length;) {
    let end = head.indexOf('\r\n', from);
    while (end !== -1 && isSpace(head.charCodeAt(end + 2))) end = head.indexOf('\r\n', end + 2);
    const text = end === -1 ? head.slice(from) : head.slice(from, end);
    if (text !== '') fields.push({ name: text.slice(0, text.indexOf(':')).trim().toLowerCase(), text });
    from = end === -1 ? head.length : end + 2;
  }
  return fields;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09;

/** One field, without CRLF at its end. */
export function relaxedField({ name, text }: Field): string {
  const value = text.slice(text.indexOf(':') + 1);
  const unfolded = value.includes('\r\n') ? value.replaceAll('\r\n', '') : value;
  const spaced = hasSpaceRun(unfolded) ? unfolded.replaceAll(/[ \t]+/g, ' ') : unfolded;
  // Not trim(), which removes other characters too.
  const from = spaced.startsWith(' ') ? 1 : 0;
  return `${name}:${spaced.slice(from, spaced.endsWith(' ') ? Math.max(from, spaced.length - 1) : undefined)}`;
}

/** Whether a text has more white space in one place than a single space. */
const hasSpaceRun = (text: string | Buffer): boolean => text.includes('  ') || text.includes('\t');

const none = Buffer.alloc(0);

/**
 * The body. Every step is linear in its length, regardless of its content. Most bodies need no change but at their end;
 * those are returned as a part of `body`.
 */
export function relaxedBody(body: Buffer): Buffer {
  const relaxed = hasSpaceRun(body) || body.includes(' \r\n') ? withoutSpaceRuns(body) : body;
  let end = relaxed.length;
  if (end > 0 && relaxed[end - 1] === 0x20) end -= 1;
  while (end >= 2 && relaxed[end - 2] === 0x0d && relaxed[end - 1] === 0x0a) end -= 2;
  if (end === 0) return none;
  const hasLineEnd = relaxed[end] === 0x0d && relaxed[end + 1] === 0x0a;
  return hasLineEnd ? relaxed.subarray(0, end + 2) : Buffer.concat([relaxed.subarray(0, end), lineEnd]);
}

const lineEnd = Buffer.from('\r\n');

/** Runs of spaces and tabs as one space, and none at the ends of lines. */
function withoutSpaceRuns(body: Buffer): Buffer {
  const relaxed = Buffer.allocUnsafe(body.length);
  let length = 0;
  let isAfterSpace = false;
  for (let at = 0; at < body.length; at += 1) {
    const octet = body[at] ?? 0;
    if (octet === 0x20 || octet === 0x09) {
      isAfterSpace = true;
      continue;
    }
    if (isAfterSpace && !(octet === 0x0d && body[at + 1] === 0x0a)) relaxed[length++] = 0x20;
    isAfterSpace = false;
    relaxed[length++] = octet;
  }
  if (isAfterSpace) relaxed[length++] = 0x20;
  return relaxed.subarray(0, length);
}
