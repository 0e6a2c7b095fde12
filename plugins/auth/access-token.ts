import { text } from '#core/kernel/schema/schema.js';

/** The input field of every operation of a signed-in user. */
export const accessToken = text('The user’s access token.', { minLength: 1, maxLength: 16_384 });

export const exampleAccessToken = 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTg5MGE1ZCJ9.c2lnbmF0dXJl';
