import { text } from '#core/kernel/schema/schema.js';

/**
 * The length of an access token in an input. Tokens of this version are shorter than 8 KiB (settings/claim-size.ts).
 */
export const tokenLength = { minLength: 1, maxLength: 32_768 } as const;

/** The input field of every operation of a signed-in user. */
export const accessToken = text('The user’s access token.', tokenLength);

export const exampleAccessToken = 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTg5MGE1ZCJ9.c2lnbmF0dXJl';
