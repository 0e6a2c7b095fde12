import { parseArgs } from 'node:util';
import type { Bench, Round, Side } from './bench.js';
import { automations } from './benches/automations.js';
import { benchBroadcasts, benchSignedBroadcasts } from './broadcasts.js';
import { benchFanOut } from './fan-out.js';
import { benchNeighbours } from './neighbours.js';
import { benchTextBroadcasts } from './text-broadcasts.js';
import { billingSend } from './benches/billing-send.js';
import { importPlain, importRich } from './benches/import.js';
import { passwordSignIn } from './benches/password-signin.js';
import { read } from './benches/read.js';
import { refreshSessions, verifySessions } from './benches/sessions.js';
import { upsert } from './benches/upsert.js';
import { webhooks } from './benches/webhooks.js';
import { write, writeOverHttp } from './benches/write.js';
import { roundTripsOf } from './per-call.js';
import { report, reportRoundTrips, type Measured } from './report.js';
import { cpuMs, residentMiB } from './process.js';
import { betterAuthBenches } from './better-auth/index.js';
import { benchManyUsers } from './many-users/index.js';
import { benchSegments } from './segments/index.js';
import { benchWaitingEvents } from './waiting-events.js';
import { openStage, type Stage } from './stage.js';

/**
 * `npm run bench`: compares svc with its floors, alternately in one run, because only ratios measured side by side are comparable; then
 * counts database round trips per call. Usage: `npm run bench -- [--quick] [--profile <folder>] [name … | round-trips | better-auth | waiting-events [count] | segments [contacts …] | many-users [users] | broadcasts [recipients] | signed-broadcasts [recipients] | fan-out [contacts] | neighbours [recipients] | text-broadcasts [recipients]]`
 */
// Deliveries before writes: the fan-out of events from the writes would slow the deliveries.
const benches: readonly Bench[] = [
  read,
  webhooks(1),
  webhooks(10),
  webhooks(100),
  write,
  writeOverHttp,
  billingSend,
  upsert,
  importRich,
  importPlain,
  automations,
  verifySessions,
  refreshSessions,
  passwordSignIn,
];

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' } },
  allowPositionals: true,
});
const rounds = values.quick ? 5 : 7;
const roundMs = values.quick ? 1_000 : 4_000;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

// These measure something else than rates, on a database server of their own.
if (positionals[0] === 'many-users') {
  const asFew = await benchManyUsers(Number(positionals[1] ?? 1_000_000), say);
  process.exit(asFew ? 0 : 1);
}
if (positionals[0] === 'segments') {
  const counts = positionals.slice(1).map(Number);
  await benchSegments(counts.length > 0 ? counts : [100_000, 1_000_000], say);
  process.exit();
}

/** The number of events of `waiting-events`; undefined when it is not requested. */
const waiting = positionals[0] === 'waiting-events' ? Number(positionals[1] ?? 1_000_000) : undefined;

const broadcastBenches = {
  broadcasts: benchBroadcasts,
  'signed-broadcasts': benchSignedBroadcasts,
  'fan-out': benchFanOut,
  neighbours: benchNeighbours,
  'text-broadcasts': benchTextBroadcasts,
};
/** The bench of broadcasts that is requested, if one is. */
const broadcasting = Object.entries(broadcastBenches).find(([name]) => name === positionals[0])?.[1];

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

/** Runs one round of one side and measures the CPU time of its process. */
async function once({ round, pid }: Side): Promise<Round> {
  const before = await cpuMs(pid);
  const found = await round(roundMs);
  const after = await cpuMs(pid);
  return before === undefined || after === undefined ? found : { ...found, cpuMs: after - before };
}

/**
 * Runs the benches one after another. The two sides of a bench alternate, and so does the side that starts. A bench's servers are stopped
 * before the next bench starts, because they would use its cores and its queues.
 * @returns the rounds, and the highest memory use of svc
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

const unknown = (waiting === undefined && broadcasting === undefined ? positionals : []).filter(
  (name) => !['round-trips', 'better-auth'].includes(name) && !benches.some((bench) => bench.name === name),
);
if (unknown.length > 0) {
  say(`Unknown bench: ${unknown.join(', ')}. Known are ${benches.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const chosen = positionals.includes('better-auth')
  ? betterAuthBenches
  : benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const stage = await openStage(say, values.profile);
try {
  if (broadcasting !== undefined) {
    await broadcasting(stage, Number(positionals[1] ?? (values.quick ? 20_000 : 100_000)), say);
  } else if (waiting === undefined) {
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
