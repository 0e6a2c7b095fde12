/** How long clients may cache the set of published keys. A rotated key is published this long before it signs. */
export const jwksCacheSeconds = 300;

/**
 * The longest lifetime of an access token, regardless of the current `accessTokenSeconds`: it may have been longer when
 * the last token was signed, and a call that read the key before a rotation may still sign with it.
 */
export const longestTokenSeconds = 3_600 + 60;
