const end = Buffer.from('.\r\n');
const [lineFeed, carriageReturn] = [0x0a, 0x0d];
/**
 * Only a message that contains one of these needs a closer check: a line that begins with a dot, or half of a line end.
 */
const special = /\n\.|^\.|\r(?!\n)|(?<!\r)\n/;

/**
 * A message in the form for DATA (RFC 5321 §4.1.1.4, §4.5.2): dots at the beginning of lines are doubled, and a line
 * with one dot ends it. A single CR or LF becomes CRLF, because a receiver could interpret it as the end of a line, and
 * the following text as commands.
 * @param raw octets, or a text of which each character is one
 */
export function dataOf(raw: Buffer | string): Buffer | string {
  const text = typeof raw === 'string' ? raw : raw.toString('latin1');
  if (special.test(text)) {
    const lines = text.replaceAll(/\r\n|\r|\n/g, '\r\n').replaceAll('\r\n.', '\r\n..');
    return `${lines.startsWith('.') ? '.' : ''}${lines}${lines.endsWith('\r\n') ? '' : '\r\n'}.\r\n`;
  }
  if (typeof raw === 'string') return `${raw}${raw.endsWith('\r\n') ? '' : '\r\n'}.\r\n`;
  const endsLine = raw.at(-1) === lineFeed && raw.at(-2) === carriageReturn;
  return Buffer.concat(endsLine ? [raw, end] : [raw, Buffer.from('\r\n'), end]);
}
