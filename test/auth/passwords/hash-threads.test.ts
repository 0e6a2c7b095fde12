import { execFile } from 'node:child_process';
import { platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Hashes eight passwords at once in a process of its own.
 * @param threads SVC_PASSWORD_THREADS
 * @returns the nice values of its threads, less than that of its first thread
 */
async function niceValues(threads: number): Promise<number[]> {
  const program = `
    const { readdirSync, readFileSync } = await import('node:fs');
    const { setHashThreads, runHash } = await import('#plugins/auth/passwords/hash-pool.js');
    setHashThreads(${threads});
    await Promise.all(Array.from({ length: 8 }, (_, n) => runHash({ accountId: 'account ' + n, environmentId: 'live' }, { hash: 'correct horse' }, 10)));
    const niceOf = (task) => Number(readFileSync('/proc/self/task/' + task + '/stat', 'utf8').split(') ')[1].split(' ')[16]);
    const own = niceOf(process.pid);
    console.log(JSON.stringify(readdirSync('/proc/self/task').map((task) => niceOf(task) - own)));
    process.exit();`;
  const flags = ['--conditions=svc-source', '--import', 'tsx', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: root });
  const values: unknown = JSON.parse(stdout);
  return Array.isArray(values) ? values.map(Number) : [];
}

describe('The threads that hash passwords', function () {
  this.timeout(60_000);
  before(function () {
    // Only Linux has a priority for each thread.
    if (platform() !== 'linux') this.skip();
  });

  for (const threads of [1, 3])
    it(`are as many as SVC_PASSWORD_THREADS=${threads} says, with a lower priority than all others`, async () => {
      const values = await niceValues(threads);
      expect(values.filter((nice) => nice === 5)).to.have.length(threads);
      expect(values.filter((nice) => nice !== 5 && nice !== 0)).to.deep.equal([]);
    });
});
