import { notBareProblem, parseAddress } from './email-address.js';

type ParsedMailbox = { ok: true; address: string; name: string | null } | { ok: false; problem: string };

const maxNameLength = 120;

const formProblem =
  'must be one email address such as ada@example.com or Ada <ada@example.com>; put a name with commas in quotes';

// RFC 5322 3.4, name-addr: a quoted display name, or one without the characters that separate addresses.
const nameAddress = /^(?:"((?:[^"\\]|\\.)*)"\s*|([^"<>,;:@()[\]\\]*))<([^<>]*)>$/;

/**
 * Reads one mailbox: a bare address, or one with a display name such as `Ada <ada@example.com>` and `"Lovelace, Ada"
 * <ada@example.com>`.
 * @param text as a person typed it; space around it and around the name is dropped
 * @returns the address as `parseAddress` does, with the name as it is shown, or what is wrong as the end of a sentence
 */
export function parseMailbox(text: string): ParsedMailbox {
  const trimmed = text.trim();
  if (!trimmed.endsWith('>')) {
    const bare = parseAddress(text);
    if (bare.ok) return { ...bare, name: null };
    return bare.problem === notBareProblem ? refused(formProblem) : bare;
  }
  const [, quoted, plain = '', inBrackets = ''] = nameAddress.exec(trimmed) ?? [];
  if (inBrackets === '') return refused(formProblem);
  const address = parseAddress(inBrackets);
  if (!address.ok) return address;
  const name = (quoted?.replaceAll(/\\(.)/g, '$1') ?? plain).trim();
  if (Array.from(name).length > maxNameLength) return refused(`has a name of more than ${maxNameLength} characters`);
  return { ...address, name: name === '' ? null : name };
}

const refused = (problem: string): ParsedMailbox => ({ ok: false, problem });
