import { hasControls } from '#core/messaging/input.js';
import { isThreadHeader } from './thread-headers.js';

const NAME = /^(?:X|List)-[!-9;-~]+$/i; // RFC 5322 2.2: printable US-ASCII without the colon
const NAME_OCTETS = 76;
const LINE_OCTETS = 998; // RFC 5322 2.1.1
const SUBJECT_CHARACTERS = 998;

const typeName = '[A-Za-z0-9!#$&^_.+-]+'; // RFC 6838 4.2
const token = "[A-Za-z0-9!#$%&'*+.^_`{|}~-]+"; // RFC 2045 5.1
/**
 * A content type with its parameters (RFC 2045 5.1), such as `text/calendar; method=REQUEST`. Quoted values have no
 * escapes.
 */
export const contentTypePattern = `^${typeName}/${typeName}([ \\t]*;[ \\t]*${token}=(${token}|"[ !#-\\[\\]-~]*"))*$`;

/** The header with our message id; see composeMessage. */
export const messageIdHeader = 'X-Svc-Message-Id';
const ownPrefix = 'x-svc-';

/**
 * Whether a word is too long for one line. Lines fold only at white space (RFC 5322 2.2.3), and a folded line begins
 * with a space, so 997 octets remain of the 998.
 */
export const hasUnfoldableWord = (text: string): boolean =>
  text.split(/[ \t]/).some((word) => Buffer.byteLength(word) >= LINE_OCTETS);

/**
 * Whether folding could leave a line of only spaces, which RFC 5322 3.2.2 forbids: a server that removes white space at
 * the ends of lines would end the headers there.
 */
export const hasLongGap = (text: string): boolean => /[ \t]{60}/.test(text);

/** @returns whether mail programs would decode a part of the text (RFC 2047 2) and show something else */
export const hasEncodedWord = (text: string): boolean => /=\?[^?]*\?[bq]\?[^?]*\?=/i.test(text);

/**
 * Validates a header that a caller adds: only `X-*` and `List-*`, because a second From, Bcc or Content-Type would
 * change who receives the mail and how it is shown.
 * @returns the problem, as the end of a sentence about the header; null if there is none
 */
export const headerProblem = (name: string, value: string): string | null =>
  nameProblem(name) ?? valueProblem(name, value);

/** @returns the problem with a subject, as the end of a sentence about it; null if there is none */
export const subjectProblem = (subject: string): string | null => {
  if (hasControls(subject)) return 'must not contain line breaks or other control characters';
  if (subject.trim() === '') return 'must not be empty';
  return Array.from(subject).length > SUBJECT_CHARACTERS ? `must have at most ${SUBJECT_CHARACTERS} characters` : null;
};

/** @returns the problem with a display name, as the end of a sentence about it; null if there is none */
export const displayNameProblem = (name: string): string | null => {
  if (hasControls(name)) return 'must not contain line breaks or other control characters';
  // Many mail programs decode these even between quotes, contrary to RFC 2047 5.
  return hasEncodedWord(name) ? 'must not contain encoded words (=?...?=)' : null;
};

const nameProblem = (name: string): string | null => {
  if (isThreadHeader(name))
    return 'is set by svc: give `inReplyTo`, the id of the received message that this one answers';
  if (!NAME.test(name)) return 'must have a name of visible ASCII without colons that begins with X- or List-';
  if (name.length > NAME_OCTETS) return `must have a name of at most ${NAME_OCTETS} characters`;
  if (name.toLowerCase().startsWith(ownPrefix))
    return 'must not begin with X-Svc-, because these headers are set by svc';
  return null;
};

const valueProblem = (name: string, value: string): string | null => {
  if (hasControls(value)) return 'must not contain line breaks or other control characters';
  // RFC 5322 3.2.2 forbids a header line of only white space, and servers drop it silently.
  if (value.trim() === '') return 'must not be empty';
  if (Buffer.byteLength(value) > LINE_OCTETS) return `must have at most ${LINE_OCTETS} octets`;
  const ascii = /^[ -~]*$/.test(value);
  // RFC 2369 2: URLs in angle brackets. Encoded words (RFC 2047), the only way to carry more than ASCII, would hide
  // them.
  if (/^list-/i.test(name)) {
    if (!ascii) return 'must be ASCII';
    if (hasLongGap(value)) return 'must not have 60 spaces in a row';
  }
  return ascii && hasUnfoldableWord(value) ? 'has a word too long for one line' : null;
};
