import { hashSync } from '@node-rs/argon2';

/**
 * argon2id (RFC 9106), the package's default variant, with 19 MiB, two passes and one lane: about 10 ms of one core.
 */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The prefix of svc's own hashes. */
const ownPrefix = '$argon2id$v=19$m=19456,t=2,p=1$';

/** @returns a PHC string with its own salt; it computes for about 10 ms */
export const hashOwn = (password: string): string => hashSync(password, options);

/** Whether a stored hash already has the form that `hashOwn` produces. */
export const isOwn = (stored: string): boolean => stored.startsWith(ownPrefix);

/**
 * Checked without a password, so that this takes as long as a wrong password. No password matches: its digest is
 * all ones, and finding a text for it would be a preimage of argon2.
 */
export const dummyHash = `${ownPrefix}c3ZjLWR1bW15LXNhbHQhIQ$${'/'.repeat(42)}8`;
