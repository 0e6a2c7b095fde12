import { createHash } from 'node:crypto';
import type { Clock } from '#core/runtime/clock.js';
import { isRecord } from '#core/runtime/json.js';
import { sha256, type Digesting } from '#core/runtime/secrets/digest.js';
import { createVault, type Vault } from '#core/runtime/secrets/vault.js';
import { isTenant, type Caller, type TenantCaller } from '../caller/caller.js';
import { refusalOf } from '../errors/common.js';
import { holderOf } from '../limits/holder-of.js';
import type { Operation } from '../operation.js';
import { canonicalInput, type CanonicalInput } from './canonical.js';
import { digestInput } from './digest-input.js';

/**
 * The form of the fingerprints that this version stores beside an answer. If the form changes, use the next number and
 * keep comparing the earlier forms for the 24 hours that answers are kept; otherwise a repeat across the upgrade would
 * be refused.
 *
 * 0: the input with its defaults filled in; for a tenant's call plain SHA-256 at first, keyed later. 1: keyed, the
 * input without defaults.
 */
export const fingerprintFormat = 1;

/** An Idempotency-Key as it is stored. */
export interface IdempotencyKey {
  /** The key as the caller sent it, which is never stored. */
  text: string;
  /** Digest of the key within its scope. */
  id: Buffer;
  /**
   * Digest of operation and input, in `fingerprintFormat`. The same key with a different fingerprint is the caller's
   * mistake.
   */
  fingerprint: Buffer;
  /** The fingerprint that an earlier version may have stored for the same call (format 0). */
  earlierFingerprints(): Promise<Buffer[]>;
  /** Encrypts the stored answer, if it shows a secret. */
  vault: Vault;
  seal: boolean;
  /** How long a repeat gets the stored answer. */
  replaySeconds: number;
}

/** How long an answer is stored, and replayed unless the operation states a shorter time. */
export const keptHours = 24;

/** No stored answer is this old. */
const foreverSeconds = 10 * 366 * 86_400;

/**
 * How long a repeat gets the stored answer. An answer does not expire while the time cannot be trusted: with a clock
 * that is a day ahead, every repeat would be executed.
 */
const keptSeconds = (clock: Pick<Clock, 'isTrusted'>): number =>
  clock.isTrusted() ? keptHours * 3_600 : foreverSeconds;

/**
 * Environment and caller. Another key of the environment does not get the stored answer; a rotated key's successor
 * does. A signed-in user's keys belong to the session, through its refreshes, and to its impersonator: a publishable
 * key serves every user of an app.
 */
function tenantScope({ environment, kind, lineage, user }: TenantCaller): string {
  if (!user) return `${environment.id}|${kind}|${lineage}`;
  return `${environment.id}|user|${user.sessionFamilyId}|${user.impersonator?.memberId ?? ''}`;
}

/**
 * A public operation's tokens, if its input has any; otherwise every caller with the Idempotency-Key would get the
 * stored answer.
 */
function publicScope({ name }: Operation, input: unknown): string {
  const { token, accessToken } = isRecord(input) ? input : {};
  const session = typeof accessToken === 'string' ? `|${accessToken}` : '';
  return `${name}|${typeof token === 'string' ? token : ''}${session}`;
}

/** The shortest key that may encrypt an answer: it must not be guessable. */
const leastSealingLength = 16;

/**
 * Reads the header `Idempotency-Key`.
 * @returns undefined if the answer is sealed by its key and the key is too short for that; nothing is stored then
 * @throws invalid_input unless it is 1 to 255 visible ASCII characters
 */
export async function idempotencyKey(
  header: string,
  operation: Operation,
  caller: Caller,
  input: unknown,
  { vault, clock }: { vault: Vault; clock: Pick<Clock, 'isTrusted'> },
): Promise<IdempotencyKey | undefined> {
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw refusalOf.invalid_input({
      field: 'Idempotency-Key',
      problem: 'must be 1 to 255 visible ASCII characters',
      details: { field: 'Idempotency-Key' },
    });
  }
  const { showsSecret, name, replaySeconds = keptSeconds(clock) } = operation;
  const sealedByKey = showsSecret === 'sealed by Idempotency-Key';
  if (sealedByKey && header.length < leastSealingLength) return undefined;
  const { accessToken: _, ...rest } = isRecord(input) ? input : {};
  const holder = holderOf(caller);
  const seals = {
    seal: showsSecret !== undefined,
    // Derived from the deployment's root key and the header: both are needed to decrypt the answer.
    vault: sealedByKey ? createVault(keyed(vault, 'sealing key', header)) : vault,
    replaySeconds,
  };
  // A stolen table must not confirm guesses of inputs, including passwords, or of tokens that nothing else protects.
  const digestOf = (call: CanonicalInput, digesting: Digesting): Promise<Buffer> =>
    digestInput(`${name}|`, call, digesting, holder);
  const inKey = (): Digesting => vault.digesting({ table, column: 'fingerprint' });
  const fingerprint = await digestOf(await canonicalInput(rest, holder, operation.input), inKey());
  const earlierFingerprints = async (): Promise<Buffer[]> => {
    const call = await canonicalInput(rest, holder);
    const keyedOne = await digestOf(call, inKey());
    return isTenant(caller) ? [keyedOne, await digestOf(call, createHash('sha256'))] : [keyedOne];
  };
  const id = isTenant(caller)
    ? sha256(`${tenantScope(caller)}|${header}`)
    : keyed(vault, 'id', `${publicScope(operation, input)}|${header}`);
  return { text: header, id, fingerprint, earlierFingerprints, ...seals };
}

const table = 'svc_idempotency';
const keyed = (vault: Vault, column: string, value: string): Buffer => vault.digest(value, { table, column });
