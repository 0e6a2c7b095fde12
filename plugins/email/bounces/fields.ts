/** A group of fields of a report, by their names in lower case; of a repeated field the first counts. */
export type Fields = ReadonlyMap<string, string>;

/**
 * Reads the fields of a report's machine-readable part (RFC 3464 §2.1, RFC 5965 §3): lines like those of a header, in groups that empty
 * lines separate.
 */
export function fieldGroups(text: string): Fields[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map(fieldsIn)
    .filter((fields) => fields.size > 0);
}

function fieldsIn(group: string): Fields {
  const fields = new Map<string, string>();
  // A line that begins with white space continues the one before it (RFC 5322 §2.2.3).
  for (const line of group.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name !== '' && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** The address in a field such as `Final-Recipient: rfc822; ada@example.com`; null where it is of another kind. */
export function addressField(value: string | undefined): string | null {
  const [, type, address] = /^(?:([\w-]+)\s*;)?\s*<?([^<>\s]+)>?$/.exec(value ?? '') ?? [];
  if (address === undefined || !address.includes('@')) return null;
  return type === undefined || /^(?:rfc822|utf-8|unknown)$/i.test(type) ? address : null;
}
