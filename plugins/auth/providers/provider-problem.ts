/** A provider cannot be reached, or answers what svc does not accept. The message is a sentence’s end without a full stop. */
export class ProviderProblem extends Error {
  override readonly name = 'ProviderProblem';
  constructor(
    /** another_account: the userinfo endpoint speaks of somebody else than the ID token. */
    readonly kind: 'url_not_allowed' | 'failed' | 'another_account',
    message: string,
  ) {
    super(message);
  }
}

const maxQuoted = 200;

/** What a provider said, fit for a message: one line, without control characters, cut. */
export const quoted = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxQuoted);
