import { domainToASCII } from 'node:url';

/** What is wrong with a text that contains a name, a second address or white space in addition to the address. */
export const notBareProblem = 'must be one bare address: no name, list, group, comment or spaces';

type ParsedAddress = { ok: true; address: string } | { ok: false; problem: string };

// RFC 5322 3.2.3, atext and dot-atom.
const ATEXT = "A-Za-z0-9!#$%&'*+/=?^_`{|}~-";
const DOT_ATOM = new RegExp(`^[${ATEXT}]+(?:\\.[${ATEXT}]+)*$`);

// RFC 5321 4.1.2 allows nearly anything in a quoted local part. The ones in real use are quoted only because of their
// dots ("john..doe"@…, ".doe"@…). Spaces, commas and a second @ are refused although they are legal there, because mail
// software disagrees about where such an address ends, and so about who receives the mail.
const QUOTED = new RegExp(`^"([.${ATEXT}]+)"$`);

// RFC 1035 2.3.1 with RFC 1123 2.1: letters, digits and inner hyphens, at most 63 octets.
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

// A display name, a list, a group (`team: a@x;`), a comment or white space: none belongs to a bare mailbox.
const NOT_BARE = /[,;:<>()\s]/;

// domainToASCII is a URL host parser: it would decode `%61`, and cut at `/`, `?`, `#` and `\`.
const NOT_IN_DOMAIN = /[^A-Za-z0-9.\-\u{80}-\u{10ffff}]/u;

// The form of nearly every address, already normalized: one check finds it valid, in a twentieth of the time
// (measured).
const USUAL = new RegExp(`^[${ATEXT}]+(?:\\.[${ATEXT}]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$`);

const LOCAL_OCTETS = 64; // RFC 5321 4.5.3.1.1
const ADDRESS_OCTETS = 254; // RFC 5321 4.5.3.1.3: a path of 256 octets, without its angle brackets
const LONGEST_TEXT = 4 * ADDRESS_OCTETS; // before it is normalized

/**
 * Reads exactly one bare mailbox, `local@domain`, and normalizes it: the domain in ASCII (IDNA) and lower case,
 * needless quotes around the local part dropped (RFC 5321 4.1.2: both spellings are one mailbox, and a suppression must
 * match both), the local part otherwise as it is.
 *
 * A local part outside ASCII is refused: it can be delivered only if every server on the path offers SMTPUTF8 (RFC 6531
 * 3.1), so accepting it would be a promise that we mostly cannot keep.
 * @param text as a person typed it; surrounding space is an error
 * @returns the address to store and to send to, or what is wrong with it, as the end of a sentence about it
 */
export const parseAddress = (text: string): ParsedAddress => {
  if (isUsual(text)) return { ok: true, address: text };
  const problem = textProblem(text);
  if (problem !== null) return refused(problem);
  const [local = '', domain = ''] = text.split('@');
  const mailbox = localPart(local);
  if (!mailbox.ok) return mailbox;
  const host = hostName(domain);
  if (!host.ok) return host;
  const address = `${mailbox.address}@${host.address}`;
  return address.length > ADDRESS_OCTETS ? refused(`is longer than ${ADDRESS_OCTETS} octets`) : { ok: true, address };
};

/**
 * The key under which suppressions and members are matched. RFC 5321 2.4 leaves the case of a local part to the
 * receiving host, but no host in use tells mailboxes apart by it, and an opt-out must hold for `Ann@` and `ann@` alike.
 * @param address an address, parsed or not. Text that is too long for an address is not normalized, because the time
 *   for that grows with the square of the combining marks
 * @returns the whole address in lower case
 */
export const mailboxKey = (address: string): string => {
  const parsed = parseAddress(address);
  const isTooLong = address.length > LONGEST_TEXT;
  return (parsed.ok ? parsed.address : isTooLong ? address : address.normalize('NFC')).toLowerCase();
};

/** @returns whether both texts name one mailbox, see mailboxKey */
export const sameMailbox = (a: string, b: string): boolean => mailboxKey(a) === mailboxKey(b);

/** Names with “--” are left to domainToASCII. */
const isUsual = (text: string): boolean =>
  text.length <= ADDRESS_OCTETS && text.indexOf('@') <= LOCAL_OCTETS && USUAL.test(text) && !text.includes('--');

const refused = (problem: string): ParsedAddress => ({ ok: false, problem });

const textProblem = (text: string): string | null => {
  if (text.length > LONGEST_TEXT) return `is longer than ${ADDRESS_OCTETS} octets`;
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters or line breaks';
  if (!/[^@]@[^@]/.test(text)) return 'must be one email address such as ada@example.com';
  if (NOT_BARE.test(text)) return notBareProblem;
  return text.split('@').length === 2 ? null : 'must have exactly one @';
};

const localPart = (local: string): ParsedAddress => {
  if (/[^\u{0}-\u{7f}]/u.test(local))
    return refused('must be ASCII before the @: other characters need SMTPUTF8, which is not supported');
  if (local.length > LOCAL_OCTETS) return refused(`has more than ${LOCAL_OCTETS} octets before the @`);
  if (DOT_ATOM.test(local)) return { ok: true, address: local };
  const inner = QUOTED.exec(local)?.[1];
  if (inner === undefined) return refused('is not a valid address: the part before the @ is wrong');
  return { ok: true, address: DOT_ATOM.test(inner) ? inner : local };
};

/**
 * A domain in ASCII. Newer versions of Node check the `xn--` labels of a domain only if some label is not ASCII, so one
 * is prepended for the conversion.
 */
const asciiDomain = (domain: string): string =>
  /xn--/i.test(domain) ? domainToASCII(`ä.${domain}`).replace(/^[^.]*\./, '') : domainToASCII(domain);

const hostName = (domain: string): ParsedAddress => {
  if (domain.startsWith('[')) return refused('must name a domain, not an IP address');
  const ascii = NOT_IN_DOMAIN.test(domain) ? '' : asciiDomain(domain.normalize('NFC'));
  const labels = ascii.split('.');
  if (!labels.every((label) => LABEL.test(label)))
    return refused('is not a valid address: the part after the @ is not a domain');
  if (labels.length < 2) return refused('must have a full domain after the @');
  // RFC 3696 2: no top-level domain is all digits, so this is an IPv4 address without its brackets.
  return /^\d+$/.test(labels.at(-1) ?? '')
    ? refused('must name a domain, not an IP address')
    : { ok: true, address: ascii };
};

/** The domain of an address that `parseAddress` returned. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
