import { createHash } from 'node:crypto';

/** What an app binds a sign-in to a browser with. */
export const codeVerifier = 'q'.repeat(43);
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
export const state = 'the+state/of=this&browser';
