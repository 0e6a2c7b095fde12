/**
 * A provider cannot be reached, or sends an answer that svc does not accept. The message is the end of a sentence,
 * without a full stop.
 */
export class ProviderProblem extends Error {
  override readonly name = 'ProviderProblem';
  constructor(
    /** another_account: the userinfo endpoint returns a different person than the ID token. */
    readonly kind: 'url_not_allowed' | 'failed' | 'another_account',
    message: string,
  ) {
    super(message);
  }
}

const maxQuoted = 200;

/** A provider's text, made suitable for a message: one line, without control characters, cut. */
export const quoted = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxQuoted);
