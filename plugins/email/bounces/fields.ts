/**
 * A group of fields of a report, by their names in lower case. If a field is repeated, the first counts; the values of
 * `Original-Rcpt-To`, which may be repeated (RFC 5965 §3.2), are separated by line feeds.
 */
export type Fields = ReadonlyMap<string, string>;

/**
 * Reads the fields of a report's machine-readable part (RFC 3464 §2.1, RFC 5965 §3): lines in the form of header lines,
 * in groups that are separated by empty lines.
 */
export function fieldGroups(text: string): Fields[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map(fieldsIn)
    .filter((fields) => fields.size > 0);
}

/** The most recipients that one report names. */
const mostRepeats = 100;

function fieldsIn(group: string): Fields {
  const fields = new Map<string, string>();
  let repeats = 0;
  // A line that begins with white space continues the one before it (RFC 5322 §2.2.3).
  for (const line of group.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const known = fields.get(name);
    if (name !== '' && known === undefined) fields.set(name, value);
    else if (name === 'original-rcpt-to' && known !== undefined && (repeats += 1) < mostRepeats)
      fields.set(name, `${known}\n${value}`);
  }
  return fields;
}

/**
 * The addresses that a field such as `Final-Recipient: rfc822; ada@example.com` may name: as written and, if that
 * differs, decoded. Servers write the same mailbox under several types (`rfc822`, `smtp`, `LOCAL`, `X-LOCAL`), in xtext
 * (RFC 3461 §4, `+40` is `@`) and in unitext (RFC 6533 §3, `\x{40}`).
 * @returns none for a field without an address
 */
export function addressesIn(value: string | undefined): string[] {
  const [, written] =
    /^(?:[\w.-]+\s*;)?\s*<?((?:"(?:[^"\\]|\\.)*"|[^<>\s"])+)>?(?:\s+\(.*\))?$/.exec((value ?? '').slice(0, 2_000)) ??
    [];
  if (written === undefined) return [];
  const fromXtext = written.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const fromUnitext = written.replace(/\\x\{([0-9A-F]{2,6})\}/gi, (whole, hex: string) => {
    const point = parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
  return [...new Set([written, fromXtext, fromUnitext])].filter((each) => each.includes('@'));
}
