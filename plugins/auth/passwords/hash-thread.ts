import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { announceReady } from '#core/runtime/thread-cpu.js';
import { dummyHash, hashOwn, isOwn } from './argon2.js';
import { parseHash } from './formats/parse.js';
import { normalizePassword, passwordForms } from './normalize.js';

/**
 * A request to hash a password, or to check one against a stored hash: null if the user has none, which takes as long
 * as a wrong password. `others`: hashes that belong to nobody, which a wrong password is also checked against.
 */
export type HashRequest =
  | { readonly hash: string }
  | { readonly verify: string; readonly stored: string | null; readonly others: readonly string[] };

export type HashReply =
  | { readonly hash: string }
  /** `rehash`: what to store instead, if the stored hash is another system's and depends on the whole password. */
  | { readonly ok: boolean; readonly rehash?: string }
  | { readonly problem: string };

function verify(password: string, stored: string | null, others: readonly string[]): HashReply {
  const parsed = parseHash(stored ?? dummyHash);
  if (!parsed.ok) return { problem: `A stored password hash ${parsed.problem}.` };
  const forms = passwordForms(password);
  const fitting = forms.find(parsed.verify);
  if (stored === null || fitting === undefined) {
    for (const other of others) {
      const same = parseHash(other);
      if (same.ok) forms.forEach(same.verify);
    }
    return { ok: false };
  }
  const normal = normalizePassword(password);
  if (isOwn(stored) && fitting === normal) return { ok: true };
  // If the old hash did not read the whole text, a new hash of the text would lock out a person whose password ends
  // differently.
  return parsed.covers?.(fitting) === false ? { ok: true } : { ok: true, rehash: hashOwn(normal) };
}

/** The nice value of a hashing thread. On a busy core it gets a third of the time that the event loop gets. */
const lowered = 5;

/** Linux has a priority for each thread. On other systems this would lower the whole process. */
function lowerPriority(): void {
  if (platform() !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + lowered, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid this. Hashing works anyway.
  }
}

lowerPriority();
parentPort?.on('message', (request: HashRequest) => {
  try {
    const reply: HashReply =
      'hash' in request
        ? { hash: hashOwn(normalizePassword(request.hash)) }
        : verify(request.verify, request.stored, request.others);
    parentPort?.postMessage(reply);
  } catch (error) {
    parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
});
announceReady();
