import type { Bench, Round, Side } from './bench.js';
import { automations } from './benches/automations.js';
import { billingSend } from './benches/billing-send.js';
import { importPlain, importRich } from './benches/import.js';
import { passwordSignIn } from './benches/password-signin.js';
import { read } from './benches/read.js';
import { refreshSessions, verifySessions } from './benches/sessions.js';
import { submission } from './benches/submission.js';
import { upsert } from './benches/upsert.js';
import { webhooks } from './benches/webhooks.js';
import { write, writeOverHttp } from './benches/write.js';
import { cpuMs, residentMiB } from './process.js';
import type { Measured } from './report.js';
import type { Stage } from './stage.js';

/**
 * The benches that compare rates. Deliveries come before writes: the fan-out of events from the writes would slow the
 * deliveries.
 */
export const rateBenches: readonly Bench[] = [
  read,
  webhooks(1),
  webhooks(10),
  webhooks(100),
  write,
  writeOverHttp,
  submission,
  billingSend,
  upsert,
  importRich,
  importPlain,
  automations,
  verifySessions,
  refreshSessions,
  passwordSignIn,
];

interface Schedule {
  /** How often each side runs. */
  readonly rounds: number;
  /** Milliseconds of a round. */
  readonly roundMs: number;
  readonly interrupted: AbortSignal;
  readonly say: (line: string) => void;
}

/** Runs one round of one side and measures the CPU time of its process. */
async function once({ round, pid }: Side, ms: number): Promise<Round> {
  const before = await cpuMs(pid);
  const found = await round(ms);
  const after = await cpuMs(pid);
  return before === undefined || after === undefined ? found : { ...found, cpuMs: after - before };
}

/**
 * Runs benches one after the other. The two sides of a bench alternate, and so does the side that starts. A bench's
 * servers are stopped before the next bench starts, because they would use its cores and its queues.
 * @returns the rounds, and the highest memory use of svc in MiB
 * @throws the reason of `interrupted` once it is aborted
 */
export async function measureRates(
  stage: Stage,
  chosen: readonly Bench[],
  { rounds, roundMs, interrupted, say }: Schedule,
): Promise<{ all: Measured[]; loadedMiB: number }> {
  const all: Measured[] = [];
  let loadedMiB = 0;
  for (const bench of chosen) {
    const contest = await bench.prepare(stage);
    const measured: Measured = { bench, contest, svc: [], floor: [] };
    try {
      for (let round = 0; round < rounds; round += 1) {
        for (const side of round % 2 === 0 ? (['svc', 'floor'] as const) : (['floor', 'svc'] as const)) {
          interrupted.throwIfAborted();
          measured[side].push(await once(contest[side], roundMs));
        }
        loadedMiB = Math.max(loadedMiB, await residentMiB(stage.svc.pid));
      }
      all.push(measured);
      say(`${bench.name}: ${rounds} rounds done`);
      (await contest.notes?.())?.forEach((line) => say(line));
    } finally {
      await contest.close().catch((error: unknown) => say(String(error)));
    }
  }
  return { all, loadedMiB };
}
