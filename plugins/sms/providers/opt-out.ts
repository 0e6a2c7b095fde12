/**
 * Whether a provider refused a text because its recipient has told the carrier or the provider STOP, which svc may not
 * have seen. Twilio's 21610 always means this. Telnyx's 40300 means this if Telnyx blocks the text, but an unreachable
 * number in some of the carriers' reports. For Telnyx, the words therefore decide.
 * @param code the provider's error code
 * @param words the provider's words for it
 */
export const isOptOut = (code: string | null, words: string | null): boolean =>
  code === '21610' || (code === '40300' && /\bSTOP\b|block rule/i.test(words ?? ''));
