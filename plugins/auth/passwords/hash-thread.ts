import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { announceReady } from '#core/runtime/thread-cpu.js';
import { hashOwn } from './argon2.js';
import { parseHash } from './formats/parse.js';

/**
 * A request to hash a text, or to check one text against one stored hash: never more, so that others have their turn
 * in between. `nice` is how much lower than the event loop's priority the thread's is.
 */
export type HashRequest = { readonly nice: number } & (
  { readonly hash: string } | { readonly verify: string; readonly stored: string }
);

export type HashReply = { readonly hash: string } | { readonly ok: boolean } | { readonly problem: string };

/** The priority of the process, before this thread lowered its own. */
const initial = getPriority();
let lowered = 0;

/** Linux has a priority for each thread. On other systems this would lower the whole process. */
function lowerPriority(nice: number): void {
  if (platform() !== 'linux' || nice === lowered) return;
  lowered = nice;
  try {
    setPriority(Math.min(initial + nice, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid this. Hashing works anyway.
  }
}

function answer(request: HashRequest): HashReply {
  if ('hash' in request) return { hash: hashOwn(request.hash) };
  const parsed = parseHash(request.stored);
  return parsed.ok ? { ok: parsed.verify(request.verify) } : { problem: `A stored password hash ${parsed.problem}.` };
}

parentPort?.on('message', (request: HashRequest) => {
  try {
    lowerPriority(request.nice);
    parentPort?.postMessage(answer(request));
  } catch (error) {
    parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
});
announceReady();
