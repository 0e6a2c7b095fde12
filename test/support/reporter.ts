import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

const shown = 20;

/**
 * Mocha's spec reporter. At the end it lists the files that took longest, so that whoever makes the run shorter knows
 * where to begin, and writes the counts to the file SVC_TEST_COUNTS, for the last line of the run.
 */
export default function reporter(runner: Mocha.Runner, options: Mocha.MochaOptions): void {
  new Mocha.reporters.Spec(runner, options);
  const counts = process.env['SVC_TEST_COUNTS'];
  const times = new Map<string, number>();
  const add = ({ file, duration }: Mocha.Runnable): void => {
    if (file !== undefined) times.set(file, (times.get(file) ?? 0) + (duration ?? 0));
  };
  runner.on('test end', add);
  runner.on('hook end', add);
  runner.once('end', () => {
    const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
    if (times.size > 1) console.log(slowest(times));
    if (counts !== undefined) writeFileSync(counts, JSON.stringify({ passes, failures, pending }));
  });
}

function slowest(times: ReadonlyMap<string, number>): string {
  const rows = [...times].sort(([, a], [, b]) => b - a).slice(0, shown);
  const lines = rows.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative('.', file)}`);
  return ['  The longest files:', '', ...lines, ''].join('\n');
}
