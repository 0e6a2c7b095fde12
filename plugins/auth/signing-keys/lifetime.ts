/**
 * The longest that an access token may live, whatever `accessTokenSeconds` is now: it may have been longer when the last token was signed,
 * and a call that read the key before a rotation may still sign with it.
 */
export const longestTokenSeconds = 3_600 + 60;
