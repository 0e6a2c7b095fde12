import { parseArgs } from 'node:util';
import type { Bench } from './bench.js';
import { importPlain, importRich } from './benches/import.js';
import { read } from './benches/read.js';
import { upsert } from './benches/upsert.js';
import { webhooks } from './benches/webhooks.js';
import { write, writeOverHttp } from './benches/write.js';
import { report, type Measured } from './report.js';
import { benchSegments } from './segments/index.js';
import { openStage, residentMiB, type Stage } from './stage.js';

/**
 * What `npm run bench` runs: svc beside the floors that bound it, in turn and in one run, because only ratios taken side by side
 * count. `npm run bench -- [--quick] [--profile <folder>] [name …]`
 */
const benches: readonly Bench[] = [
  read,
  write,
  writeOverHttp,
  webhooks(1),
  webhooks(10),
  webhooks(100),
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

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

/** Runs every bench's two sides in turn, the first of them by turns too. @returns also the most memory that svc was seen to hold */
async function measure(stage: Stage, chosen: readonly Bench[]): Promise<{ all: Measured[]; loadedMiB: number }> {
  const all: Measured[] = [];
  let loadedMiB = 0;
  try {
    for (const bench of chosen) all.push({ bench, contest: await bench.prepare(stage), svc: [], floor: [] });
    for (let round = 0; round < rounds; round += 1) {
      for (const { contest, ...kept } of all) {
        for (const side of round % 2 === 0 ? (['svc', 'floor'] as const) : (['floor', 'svc'] as const)) {
          interrupted.signal.throwIfAborted();
          kept[side].push(await contest[side].round(roundMs));
        }
        loadedMiB = Math.max(loadedMiB, await residentMiB(stage.svc.pid));
      }
      say(`round ${round + 1} of ${rounds} done`);
    }
    for (const { contest } of all) (await contest.notes?.())?.forEach((line) => say(line));
    return { all, loadedMiB };
  } finally {
    for (const { contest } of all) await contest.close().catch(() => undefined);
  }
}

const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  say(`There is no bench ${unknown.join(', ')}; there are: ${benches.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const chosen = benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const stage = await openStage(say, values.profile);
try {
  const { all, loadedMiB } = await measure(stage, chosen);
  say(`\n${report(all, stage.facts, loadedMiB)}`);
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  say('Interrupted.');
  process.exitCode = 130;
} finally {
  await stage.stop();
}
