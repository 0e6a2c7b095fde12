/*
 * Message ids in In-Reply-To and References (RFC 5322 3.6.4). The ids of received mail come from strangers: only
 * visible ASCII passes, so that none can begin another header.
 */

/** The most octets of an id: a line has at most 998 (RFC 5322 2.1.1), with the angle brackets and the space before. */
const maxIdOctets = 990;

/** The most octets of References. Longer threads lose ids from the middle. */
export const maxThreadOctets = 2_000;

const idText = /^[!-;=?-~]+$/;

/** Whether a text can be a message id without its angle brackets. */
export const isMessageId = (text: string): boolean => text.length <= maxIdOctets && idText.test(text);

/** The ids in a header, each once, with their angle brackets, in their order. */
export function messageIdsIn(header: string): string[] {
  const ids = header.split('<').flatMap((part, index) => {
    const end = part.indexOf('>');
    const id = index === 0 || end < 0 ? '' : part.slice(0, end);
    return isMessageId(id) ? [`<${id}>`] : [];
  });
  return [...new Set(ids)];
}

/** Whether svc alone writes a header, from the message that is answered. */
export const isThreadHeader = (name: string): boolean => /^(?:In-Reply-To|References)$/i.test(name);

/** @returns the problem with the value of a thread header, as the end of a sentence about it; null if there is none */
export const threadHeaderProblem = (value: string): string | null =>
  value.length <= maxThreadOctets && value !== '' && messageIdsIn(value).join(' ') === value
    ? null
    : 'must be message ids in angle brackets';
