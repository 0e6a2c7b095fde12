const end = Buffer.from('.\r\n');
const [lineFeed, carriageReturn] = [0x0a, 0x0d];
/** Only what has one of these needs a closer look: a line that begins with a dot, or half of a line end. */
const special = /\n\.|^\.|\r(?!\n)|(?<!\r)\n/;

/**
 * A message as DATA takes it (RFC 5321 §4.1.1.4, §4.5.2): dots at the beginning of lines doubled, and a line with one dot at its end. A lone
 * CR or LF becomes CRLF, since a receiver could take it for the end of a line, and what follows for commands.
 */
export function dataOf(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  if (!special.test(text)) {
    const endsLine = raw.at(-1) === lineFeed && raw.at(-2) === carriageReturn;
    return Buffer.concat(endsLine ? [raw, end] : [raw, Buffer.from('\r\n'), end]);
  }
  const lines = text.replaceAll(/\r\n|\r|\n/g, '\r\n').replaceAll('\r\n.', '\r\n..');
  return Buffer.from(
    `${lines.startsWith('.') ? '.' : ''}${lines}${lines.endsWith('\r\n') ? '' : '\r\n'}.\r\n`,
    'latin1',
  );
}
