import { isRecord } from '#core/runtime/json.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { createVault, type Vault } from '#core/runtime/secrets/vault.js';
import { isTenant, type Caller, type TenantCaller } from '../caller/caller.js';
import { refusalOf } from '../errors/common.js';
import type { Operation } from '../operation.js';

/** An Idempotency-Key as it is stored. */
export interface IdempotencyKey {
  /** Digest of the key within its scope. */
  id: Buffer;
  /** Digest of operation and input. The same key with another fingerprint is a mistake of the caller. */
  fingerprint: Buffer;
  /** Encrypts the stored answer, if it shows a secret. */
  vault: Vault;
  seal: boolean;
  /** For how long a repeat gets the stored answer. */
  replaySeconds: number;
}

/** How long an answer is stored, and replayed unless the operation says less. */
export const keptHours = 24;

/** JSON with sorted names: the same input in another spelling has the same fingerprint. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isRecord(value)) {
    const names = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${names.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Elements of a list that are written in one turn. */
const elementsPerTurn = 500;
const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > elementsPerTurn;

/** The same text for a whole input: a list of many elements is written in several turns, between which other requests go on. */
async function canonicalInput(input: Readonly<Record<string, unknown>>, holder: string): Promise<string> {
  if (!Object.values(input).some(isLong)) return canonical(input);
  const fields: string[] = [];
  for (const [name, value] of Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)))
    fields.push(`${JSON.stringify(name)}:${isLong(value) ? await canonicalList(value, holder) : canonical(value)}`);
  return `{${fields.join(',')}}`;
}

async function canonicalList(list: readonly unknown[], holder: string): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < list.length; at += elementsPerTurn) {
    pieces.push(
      list
        .slice(at, at + elementsPerTurn)
        .map(canonical)
        .join(','),
    );
    await takeTurn(holder);
  }
  return `[${pieces.join(',')}]`;
}

/**
 * Environment and caller. Another key of the environment does not get the stored answer; a rotated key's successor does. A signed-in user's
 * keys belong to the session, through its refreshes, and to its impersonator: a publishable key serves every user of an app.
 */
function tenantScope({ environment, kind, lineage, user }: TenantCaller): string {
  if (!user) return `${environment.id}|${kind}|${lineage}`;
  return `${environment.id}|user|${user.sessionFamilyId}|${user.impersonator?.memberId ?? ''}`;
}

/** A public operation's tokens, where its input has some; else every caller with the Idempotency-Key gets the stored answer. */
function publicScope({ name }: Operation, input: unknown): string {
  const { token, accessToken } = isRecord(input) ? input : {};
  const session = typeof accessToken === 'string' ? `|${accessToken}` : '';
  return `${name}|${typeof token === 'string' ? token : ''}${session}`;
}

/** The shortest key that may encrypt an answer: it must not be guessable. */
const leastSealingLength = 16;

/**
 * Reads the header `Idempotency-Key`.
 * @returns undefined where the answer is sealed by its key and the key is too short for that: nothing is stored then
 * @throws invalid_input unless it is 1 to 255 visible ASCII characters
 */
export async function idempotencyKey(
  header: string,
  operation: Operation,
  caller: Caller,
  input: unknown,
  vault: Vault,
): Promise<IdempotencyKey | undefined> {
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw refusalOf.invalid_input({
      field: 'Idempotency-Key',
      problem: 'must be 1 to 255 visible ASCII characters',
      details: { field: 'Idempotency-Key' },
    });
  }
  const { showsSecret, name, replaySeconds = keptHours * 3_600 } = operation;
  const sealedByKey = showsSecret === 'sealed by Idempotency-Key';
  if (sealedByKey && header.length < leastSealingLength) return undefined;
  const { accessToken: _, ...rest } = isRecord(input) ? input : {};
  const call = `${name}|${await canonicalInput(rest, isTenant(caller) ? `environment ${caller.environment.id}` : caller.request.ip)}`;
  const seals = {
    seal: showsSecret !== undefined,
    // Derived from the deployment's root key and the header: both are needed to decrypt the answer.
    vault: sealedByKey ? createVault(keyed(vault, 'sealing key', header)) : vault,
    replaySeconds,
  };
  // A stolen table must not confirm guesses of inputs, passwords among them, nor of tokens that nothing else protects.
  const fingerprint = keyed(vault, 'fingerprint', call);
  if (isTenant(caller)) return { id: sha256(`${tenantScope(caller)}|${header}`), fingerprint, ...seals };
  const id = keyed(vault, 'id', `${publicScope(operation, input)}|${header}`);
  return { id, fingerprint, ...seals };
}

const keyed = (vault: Vault, column: string, value: string): Buffer =>
  vault.digest(value, { table: 'svc_idempotency', column });
