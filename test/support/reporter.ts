import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/**
 * Mocha's spec reporter. At the end it writes the counts to the file SVC_TEST_COUNTS, for the last line of the run.
 */
export default function reporter(runner: Mocha.Runner, options: Mocha.MochaOptions): void {
  new Mocha.reporters.Spec(runner, options);
  const counts = process.env['SVC_TEST_COUNTS'];
  runner.once('end', () => {
    const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
    if (counts !== undefined) writeFileSync(counts, JSON.stringify({ passes, failures, pending }));
  });
}
