/**
 * A UUID as text (RFC 9562 §4), for regular expressions: in lower case, so use the flag `i` if either case is allowed.
 */
export const idForm = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const id = new RegExp(`^${idForm}$`, 'i');

/** Whether a text is a UUID, in either case. */
export const isId = (text: string): boolean => id.test(text);
