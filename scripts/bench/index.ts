import { roundTripsOf } from './per-call.js';
import { measureRates } from './rates.js';
import { report, reportRoundTrips } from './report.js';
import { readRequest, type BenchRequest } from './request.js';
import { openStage } from './stage.js';

/*
 * `npm run bench`: compares svc with its floors, alternately in one run, because only ratios measured side by side are
 * comparable; then counts database round trips per call. `npm run bench -- --help` lists what can be measured.
 */
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

type Measurable = Exclude<BenchRequest, { kind: 'answer' }>;

/** @returns the exit code */
async function measure(request: Measurable): Promise<number> {
  if (request.kind === 'sized' && request.bench.run.on === 'own server')
    return (await request.bench.run.bench(request.sizes, say)) ? 0 : 1;
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
  const stage = await openStage(say, request.profile);
  try {
    if (request.kind === 'rates') {
      const { benches, roundTrips, quick } = request;
      const schedule = { rounds: quick ? 5 : 7, roundMs: quick ? 1_000 : 4_000, interrupted: interrupted.signal, say };
      const { all, loadedMiB } = await measureRates(stage, benches, schedule);
      if (all.length > 0) say(`\n${report(all, stage.facts, loadedMiB)}`);
      if (roundTrips) say(reportRoundTrips([await roundTripsOf(stage, 'api'), await roundTripsOf(stage, 'all')]));
    } else if (request.bench.run.on === 'stage') {
      for (const size of request.sizes) await request.bench.run.bench(stage, size, say);
    }
    return 0;
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    say('Interrupted.');
    return 130;
  } finally {
    await stage.stop();
  }
}

const request = readRequest(process.argv.slice(2));
if (request.kind === 'answer') {
  say(request.text);
  process.exitCode = request.exitCode;
} else process.exit(await measure(request));
