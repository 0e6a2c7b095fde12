import { isTenant, type Caller } from '../caller/caller.js';
import { refusalOf } from '../errors/common.js';
import type { Operation } from '../operation.js';
import { sha256 } from '#core/runtime/secrets/digest.js';

/** An Idempotency-Key as the database knows it. */
export interface IdempotencyKey {
  /** SHA-256 of the key within its scope. */
  id: Buffer;
  /** SHA-256 of the operation and its input: the same key with another fingerprint is a mistake of the caller's. */
  fingerprint: Buffer;
}

/** JSON with sorted names, so that two spellings of one input have one fingerprint. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const names = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${names.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * The key's scope: environment and caller (reliability.md, promise 2). Another key of the same environment does not get the
 * stored answer; a rotated key's successor does. One publishable key serves every end user: there each access token has keys of
 * its own. Public operations are scoped by their token, or by the client's address.
 */
function scopeOf(operation: Operation, caller: Caller, input: unknown): string {
  const digestOf = (name: string): string | undefined => {
    const token = isRecord(input) ? input[name] : undefined;
    return typeof token === 'string' ? sha256(token).toString('hex') : undefined;
  };
  if (isTenant(caller)) {
    const user = operation.access === 'user' ? `|${digestOf('accessToken') ?? ''}` : '';
    return `${caller.environment.id}|${caller.kind}|${caller.lineage}${user}`;
  }
  return `${operation.name}|${digestOf('token') ?? `ip:${caller.request.ip}`}`;
}

/**
 * Reads the header `Idempotency-Key`.
 * @throws invalid_input unless it is 1 to 255 visible ASCII characters
 */
export function idempotencyKey(header: string, operation: Operation, caller: Caller, input: unknown): IdempotencyKey {
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw refusalOf.invalid_input({
      field: 'Idempotency-Key',
      problem: 'must be 1 to 255 visible ASCII characters',
      details: { field: 'Idempotency-Key' },
    });
  }
  const { accessToken: _, ...rest } = isRecord(input) ? input : {};
  return {
    id: sha256(`${scopeOf(operation, caller, input)}|${header}`),
    fingerprint: sha256(`${operation.name}|${canonical(rest)}`),
  };
}
