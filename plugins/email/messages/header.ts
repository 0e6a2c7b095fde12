const NAME = /^(?:X|List)-[!-9;-~]+$/i; // RFC 5322 2.2: printable US-ASCII without the colon
const NAME_OCTETS = 76;
const LINE_OCTETS = 998; // RFC 5322 2.1.1
const SUBJECT_CHARACTERS = 998;

/** The header that every message gets from us; see composeMessage. */
export const messageIdHeader = 'X-Svc-Message-Id';

/**
 * @returns whether a control character (C0, DEL or C1) is in the text, or half a surrogate pair. CR or LF in a header would begin
 *   another one; half a character has no octets, and JSON columns refuse it
 */
export const hasControls = (text: string): boolean => /[\p{Cc}\p{Cs}]/u.test(text);

/**
 * Whether a word has no place on one line. Lines fold at white space only (RFC 5322 2.2.3), and a folded line begins
 * with a space, so 997 octets remain of the 998.
 */
export const hasUnfoldableWord = (text: string): boolean =>
  text.split(/[ \t]/).some((word) => Buffer.byteLength(word) >= LINE_OCTETS);

/** @returns whether readers would decode a part of the text (RFC 2047 2), and so show something else than it says */
export const hasEncodedWord = (text: string): boolean => /=\?[^?]*\?[bq]\?[^?]*\?=/i.test(text);

/**
 * Judges a header that a caller wants on a message: `X-*` or `List-*` alone, since the others are ours to set (a second
 * From, Bcc or Content-Type would change whom the mail reaches and how it is read).
 * @returns what is wrong, as a sentence; null when nothing is
 */
export const headerProblem = (name: string, value: string): string | null =>
  nameProblem(name) ?? valueProblem(name, value);

/** @returns what is wrong with a subject, as the end of a sentence about it; null when nothing is */
export const subjectProblem = (subject: string): string | null => {
  if (hasControls(subject)) return 'must not contain line breaks or other control characters';
  if (subject.trim() === '') return 'must not be empty';
  return Array.from(subject).length > SUBJECT_CHARACTERS ? `must have at most ${SUBJECT_CHARACTERS} characters` : null;
};

/** @returns what is wrong with the name shown beside an address, as the end of a sentence; null when nothing is */
export const displayNameProblem = (name: string): string | null => {
  if (hasControls(name)) return 'must not contain line breaks or other control characters';
  // Many readers decode these even between quotes, against RFC 2047 5.
  return hasEncodedWord(name) ? 'must not contain encoded words (=?...?=)' : null;
};

const nameProblem = (name: string): string | null => {
  if (!NAME.test(name)) return 'A header name must begin with X- or List- and hold visible ASCII without colons.';
  if (name.length > NAME_OCTETS) return `A header name must have at most ${NAME_OCTETS} characters.`;
  if (name.toLowerCase() === messageIdHeader.toLowerCase()) return `The header ${messageIdHeader} is set by svc.`;
  return null;
};

const valueProblem = (name: string, value: string): string | null => {
  if (hasControls(value)) return `The header ${name} must not contain line breaks or other control characters.`;
  // RFC 5322 3.2.2 forbids a header line of white space alone, and it would be dropped in silence.
  if (value.trim() === '') return `The header ${name} must not be empty.`;
  if (Buffer.byteLength(value) > LINE_OCTETS) return `The header ${name} must have at most ${LINE_OCTETS} octets.`;
  const ascii = /^[ -~]*$/.test(value);
  // RFC 2369 2: URLs in angle brackets. Encoded words (RFC 2047), the only way to carry more than ASCII, would hide them.
  if (!ascii && /^list-/i.test(name)) return `The header ${name} must be ASCII.`;
  return ascii && hasUnfoldableWord(value) ? `The header ${name} has a word too long for one line.` : null;
};
