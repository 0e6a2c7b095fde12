import { isRecord } from '../json.js';
import { cpuMs, databasePid } from '../process.js';
import type { Stage } from '../stage.js';

/** What a floor measured: messages per second, and milliseconds of CPU time for each. */
interface Delivered {
  readonly rate: number;
  readonly cpu: { readonly worker: number; readonly database: number };
}

/**
 * Copies what a fan-out has queued into tables of the floor (floors/delivery-worker.ts), before any of it is delivered.
 */
export async function copyQueued({ database }: Stage, channel: 'email' | 'sms'): Promise<void> {
  const filled = ['message', 'recipient', 'queue', 'broadcast_count'].map((name) => `${channel}_${name}`);
  for (const table of [...filled, `${channel}_attempt`, 'svc_event'])
    await database.query(`CREATE TABLE floor_${table} LIKE ${table}`);
  for (const table of filled) await database.query(`INSERT INTO floor_${table} SELECT * FROM ${table}`);
  // The worker of svc already holds leases on some.
  await database.query(`UPDATE floor_${channel}_queue SET leased = 0`);
}

/**
 * Delivers the copied messages with the floor.
 * @param target where to: `smtp://…` or `http://…`
 */
export async function deliverCopied(stage: Stage, target: string): Promise<Delivered> {
  const floor = await stage.startFloor('delivery-worker', { BENCH_TARGET: target });
  const pids = [floor.pid, await databasePid(stage.database)];
  const used = (): Promise<number[]> => Promise.all(pids.map(async (pid) => (await cpuMs(pid)) ?? NaN));
  const before = await used();
  const began = performance.now();
  const answer = await fetch(floor.address);
  const took = performance.now() - began;
  const body: unknown = answer.ok ? await answer.json() : undefined;
  if (!isRecord(body)) throw new Error(`The floor failed: ${answer.ok ? 'no answer' : await answer.text()}`);
  const delivered = Number(body['delivered']);
  const [worker = NaN, database = NaN] = (await used()).map((ms, index) => (ms - (before[index] ?? NaN)) / delivered);
  await floor.stop();
  return { rate: (delivered * 1_000) / took, cpu: { worker, database } };
}

/** Compares the floor with what svc delivered, as a line of the report. @param rate messages per second */
export const besideFloor = ({ rate: floor, cpu }: Delivered, rate: number): string =>
  `a floor that records the same rows: ${Math.round(floor)}/s, ratio ${(rate / floor).toFixed(2)} (target ≥ 0.5); CPU time worker ${cpu.worker.toFixed(2)} ms, database ${cpu.database.toFixed(2)}`;
