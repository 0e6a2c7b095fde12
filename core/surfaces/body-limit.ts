import type { Operation } from '#core/kernel/operation.js';

/**
 * For operations that declare no limit. Anyone can call operations that need no secret key: publishable keys are
 * public.
 */
const defaultBodyLimit = 1024 * 1024;
const publicBodyLimit = 64 * 1024;

/** How many bytes the input of a call may have as JSON, on every surface that takes calls from outside. */
export const bodyLimitOf = ({ bodyLimit, access }: Operation): number =>
  bodyLimit ?? (access === 'secret' || access === 'operator' ? defaultBodyLimit : publicBodyLimit);
