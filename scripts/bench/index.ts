import { parseArgs } from 'node:util';
import type { Bench, Round, Side } from './bench.js';
import { importPlain, importRich } from './benches/import.js';
import { read } from './benches/read.js';
import { upsert } from './benches/upsert.js';
import { webhooks } from './benches/webhooks.js';
import { write, writeOverHttp } from './benches/write.js';
import { roundTripsOf } from './per-call.js';
import { report, reportRoundTrips, type Measured } from './report.js';
import { cpuMs, residentMiB } from './process.js';
import { benchSegments } from './segments/index.js';
import { benchWaitingEvents } from './waiting-events.js';
import { openStage, type Stage } from './stage.js';

/**
 * What `npm run bench` runs: svc beside the floors that bound it, in turn and in one run, because only ratios taken side by side
 * count; then database round trips per call. `npm run bench -- [--quick] [--profile <folder>] [name … | round-trips | waiting-events [count] | segments [contacts …]]`
 */
// Deliveries before writes: those leave events, which would be fanned out at the deliveries' cost.
const benches: readonly Bench[] = [
  read,
  webhooks(1),
  webhooks(10),
  webhooks(100),
  write,
  writeOverHttp,
  upsert,
  importRich,
  importPlain,
];

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' } },
  allowPositionals: true,
});
const rounds = values.quick ? 5 : 7;
const roundMs = values.quick ? 1_000 : 4_000;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

// Times instead of rates, on a server of its own: segments [contacts …].
if (positionals[0] === 'segments') {
  const counts = positionals.slice(1).map(Number);
  await benchSegments(counts.length > 0 ? counts : [100_000, 1_000_000], say);
  process.exit();
}

/** The events of `waiting-events`; undefined when it is not asked for. */
const waiting = positionals[0] === 'waiting-events' ? Number(positionals[1] ?? 1_000_000) : undefined;

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

/** Runs one side, and sees what CPU time its process took. */
async function once({ round, pid }: Side): Promise<Round> {
  const before = await cpuMs(pid);
  const found = await round(roundMs);
  const after = await cpuMs(pid);
  return before === undefined || after === undefined ? found : { ...found, cpuMs: after - before };
}

/**
 * Runs the benches one by one, and the two sides of each in turn, the first of them by turns too. A bench's servers are gone before the
 * next begins: they would share its cores and its queues. @returns also the most memory that svc was seen to hold
 */
async function measure(stage: Stage, chosen: readonly Bench[]): Promise<{ all: Measured[]; loadedMiB: number }> {
  const all: Measured[] = [];
  let loadedMiB = 0;
  for (const bench of chosen) {
    const contest = await bench.prepare(stage);
    const measured: Measured = { bench, contest, svc: [], floor: [] };
    try {
      for (let round = 0; round < rounds; round += 1) {
        for (const side of round % 2 === 0 ? (['svc', 'floor'] as const) : (['floor', 'svc'] as const)) {
          interrupted.signal.throwIfAborted();
          measured[side].push(await once(contest[side]));
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

const unknown = (waiting === undefined ? positionals : []).filter(
  (name) => name !== 'round-trips' && !benches.some((bench) => bench.name === name),
);
if (unknown.length > 0) {
  say(`There is no bench ${unknown.join(', ')}; there are: ${benches.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const chosen = benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const stage = await openStage(say, values.profile);
try {
  if (waiting === undefined) {
    const { all, loadedMiB } = await measure(stage, chosen);
    say(`\n${report(all, stage.facts, loadedMiB)}`);
  } else {
    await benchWaitingEvents(stage, waiting, say);
  }
  if (positionals.length === 0 || positionals.includes('round-trips'))
    say(reportRoundTrips([await roundTripsOf(stage, 'api'), await roundTripsOf(stage, 'all')]));
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  say('Interrupted.');
  process.exitCode = 130;
} finally {
  await stage.stop();
}
