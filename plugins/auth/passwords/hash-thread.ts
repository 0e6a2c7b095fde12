import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { dummyHash, hashOwn, isOwn } from './argon2.js';
import { parseHash } from './formats/parse.js';
import { normalizePassword } from './normalize.js';

/**
 * To hash a password, or to check one against a stored hash: null where the user has none, which takes as long as a wrong password.
 * `others`: hashes of nobody that a wrong password is checked against too.
 */
export type HashRequest =
  | { readonly hash: string }
  | { readonly verify: string; readonly stored: string | null; readonly others: readonly string[] };

export type HashReply =
  | { readonly hash: string }
  /** `rehash`: what to store instead, where the stored hash is another system's. */
  | { readonly ok: boolean; readonly rehash?: string }
  | { readonly problem: string };

function verify(password: string, stored: string | null, others: readonly string[]): HashReply {
  const parsed = parseHash(stored ?? dummyHash);
  if (!parsed.ok) return { problem: `A stored password hash ${parsed.problem}.` };
  const normal = normalizePassword(password);
  // Other systems hashed what was typed. Both forms are tried whatever is stored, so that the time does not tell.
  const forms = [...new Set([normal, password])];
  const fits = forms.map(parsed.verify);
  if (stored === null || !fits.includes(true)) {
    for (const other of others) {
      const same = parseHash(other);
      if (same.ok) forms.forEach(same.verify);
    }
    return { ok: false };
  }
  return isOwn(stored) && fits[0] === true ? { ok: true } : { ok: true, rehash: hashOwn(normal) };
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
parentPort?.postMessage('ready');
