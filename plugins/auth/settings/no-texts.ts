import type { SignInTexts } from '../ports.js';

/** Stands in for a product that sends texts: there are none. */
export const noTexts = (): SignInTexts => ({ available: () => Promise.resolve(false) });
