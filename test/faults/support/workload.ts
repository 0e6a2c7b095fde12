import { randomInt } from 'node:crypto';
import { call } from './call.js';
import { eventually } from '#test/support/eventually.js';

/** One write of the workload, and the first answer it got. */
export interface Write {
  operation: 'developers.key.create' | 'email.send' | 'email.template.draft.save';
  input: Record<string, unknown>;
  bearer: string;
  idempotencyKey: string;
  answer?: string;
}

/** Pseudo-random numbers from 0 to 1 (mulberry32), so that a run can be repeated with its seed. */
export type Random = () => number;

/** @param label printed with the seed; SVC_TEST_SEED repeats a run */
export function seeded(label: string): Random {
  const seed = Number(process.env['SVC_TEST_SEED'] ?? randomInt(2 ** 31));
  process.stdout.write(`      ${label}: seed ${seed}\n`);
  return randomFrom(seed);
}

/** The same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Plans the writes of each client, in the order in which it makes them.
 * @param name distinguishes this workload's writes from those of others
 * @param bearers a key for each client
 */
export function planWrites(random: Random, name: string, bearers: readonly string[], count: number): Write[][] {
  const lines: Write[][] = bearers.map(() => []);
  // Only a few: an environment may have at most a hundred keys.
  const keysAt = new Set(Array.from({ length: 3 }, () => Math.floor(random() * count)));
  for (let index = 0; index < count; index += 1) {
    const client = Math.floor(random() * bearers.length);
    const label = `${name} ${index}`;
    const shared = { bearer: bearers[client] ?? '', idempotencyKey: label.replaceAll(' ', '-') };
    const write: Write = keysAt.has(index)
      ? { ...shared, operation: 'developers.key.create', input: { name: label, permissions: ['email:read'] } }
      : random() < 0.4
        ? { ...shared, operation: 'email.send', input: { to: 'owner@mail.localhost', subject: label, text: 'Hello.' } }
        : { ...shared, operation: 'email.template.draft.save', input: draft(label) };
    lines[client]?.push(write);
  }
  return lines;
}

/** One template, whose draft every such write changes. */
const draft = (label: string) => ({ template: 'greeting', locales: { en: { subject: label, text: 'Hello.' } } });

/**
 * Makes the writes: each client's one after the other, each at a random node. A client continues after a write without
 * an answer.
 * @returns how many were answered unavailable
 */
export async function runWrites(
  lines: readonly Write[][],
  addresses: readonly string[],
  random: Random,
): Promise<number> {
  let unavailable = 0;
  const turns = await Promise.allSettled(
    lines.map(async (line) => {
      for (const write of line) {
        const outcome = await call(addresses[Math.floor(random() * addresses.length)] ?? '', write.bearer, write);
        if (outcome.kind === 'answered') write.answer = outcome.text;
        else if (outcome.why === 'unavailable') unavailable += 1;
      }
    }),
  );
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason;
  return unavailable;
}

/**
 * Repeats every write with its key until it is answered.
 * @throws Error if a write that was answered before is not replayed with the same bytes
 */
export async function replayWrites(lines: readonly Write[][], address: string): Promise<void> {
  const turns = await Promise.allSettled(
    lines.map(async (line) => {
      for (const write of line) {
        await eventually(async () => replayed(write, await call(address, write.bearer, write)), 'an answer', 30_000);
      }
    }),
  );
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason;
}

function replayed(write: Write, outcome: Awaited<ReturnType<typeof call>>): boolean {
  if (outcome.kind === 'open') return false;
  const { answer, idempotencyKey } = write;
  if (answer === undefined) write.answer = outcome.text;
  else if (answer !== outcome.text) throw new Error(`${idempotencyKey} was ${answer}\nand is ${outcome.text}`);
  else if (!outcome.replayed)
    throw new Error(`${idempotencyKey} was answered before, but this answer is not a replay.`);
  return true;
}
