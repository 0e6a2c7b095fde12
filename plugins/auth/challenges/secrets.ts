import { randomInt } from 'node:crypto';
import { typedCode } from '#core/kernel/schema/typed.js';
import { idForm } from '#core/runtime/id-form.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { equalBytes, randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import type { ChallengeRow } from '../tables/challenge.js';

/** Six random digits. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** The digest of a code. It is keyed, because a million codes can be tried quickly, and bound to its challenge. */
export const codeDigest = (vault: Vault, challengeId: string, code: string): Buffer =>
  vault.digest(`${challengeId}:${code}`, { table: 'auth_challenge', column: 'secret_digest' });

/** Whether a code belongs to the challenge. Count the try first: see `countTry`. */
export const isCode = (vault: Vault, { id, secretDigest }: ChallengeRow, code: string): boolean =>
  secretDigest !== null && equalBytes(secretDigest, codeDigest(vault, id, typedCode(code)));

/** A magic link's token: `<challengeId>.<secret>`. */
export const newLinkToken = (challengeId: string): string => `${challengeId}.${randomToken(43)}`;

export const linkDigest = (token: string): Buffer => sha256(token);

const tokenForm = new RegExp(`^(${idForm})(?:\\.[A-Za-z0-9]{1,100})?$`, 'i');

/** The challenge that a link's token contains; undefined for anything else. */
export const challengeIdIn = (token: string): string | undefined => tokenForm.exec(token)?.[1]?.toLowerCase();

/** Whether a token belongs to the challenge. */
export const isLinkToken = ({ secretDigest }: ChallengeRow, token: string): boolean =>
  secretDigest !== null && equalBytes(secretDigest, linkDigest(token));
