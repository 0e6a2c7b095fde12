import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { announceReady } from '#core/runtime/thread-cpu.js';
import { dummyHash, hashOwn, isOwn } from './argon2.js';
import { parseHash } from './formats/parse.js';
import { normalizePassword, passwordForms } from './normalize.js';

/**
 * To hash a password, or to check one against a stored hash: null where the user has none, which takes as long as a wrong password.
 * `others`: hashes of nobody that a wrong password is checked against too.
 */
export type HashRequest =
  | { readonly hash: string }
  | { readonly verify: string; readonly stored: string | null; readonly others: readonly string[] };

export type HashReply =
  | { readonly hash: string }
  /** `rehash`: what to store instead, if the stored hash is another system's and depends on all of the password. */
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
  // A hash of text that the old one did not read would lock out the person whose password ends differently.
  return parsed.covers?.(fitting) === false ? { ok: true } : { ok: true, rehash: hashOwn(normal) };
}

/** How much less of a busy core a hashing thread gets than the event loop, as a nice value: a third. */
const lowered = 5;

/** Linux has a priority for each thread; elsewhere this would lower the whole process. */
function lowerPriority(): void {
  if (platform() !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + lowered, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox forbids it: hashing works all the same.
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
