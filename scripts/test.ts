import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';

/**
 * What `npm test` runs: mocha, on a database server of its own or on SVC_TEST_DATABASE_URL.
 * Arguments go to mocha; without a file among them every test runs.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const prefix = 'svc-test-';
const args = process.argv.slice(2);
const files = args.filter((arg) => arg.endsWith('.ts') || arg.includes('*') || existsSync(arg));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

let mocha: ChildProcess | undefined;
let interrupted: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted ??= signal;
    mocha?.kill(signal);
    // A test that never yields must not keep the database and its folder behind.
    setTimeout(() => mocha?.kill('SIGKILL'), 5_000).unref();
  });
}

/** Ends the servers of runs that were killed, and removes their folders. A run that still lives refuses to be ended. */
async function sweep(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const path of names.map((name) => join(tmpdir(), name))) {
    const lock = await stat(join(path, 'database', 'owner.json')).catch(() => undefined);
    if (lock?.uid !== process.getuid?.()) continue;
    const ended = await startPrivateServer({ stateDir: path, log: silentLog, durable: false }).then(
      async (left) => left.stop().then(() => true),
      () => false,
    );
    if (ended) await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The server under test, and how to be rid of it. */
async function server(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['SVC_TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: async () => undefined };
  await sweep();
  const own = await startPrivateServer({ stateDir: folder, log: silentLog, progress: say, durable: false });
  return { url: own.url, stop: () => own.stop() };
}

/** Runs mocha to its end; its exit code. */
function runMocha(url: string, counts: string): Promise<number> {
  const program = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
  const reporter = fileURLToPath(new URL('../test/support/reporter.ts', import.meta.url));
  const specs = files.length > 0 ? [] : ['test/**/*.test.ts'];
  // Mocha prefers require() where Node can require ES modules; what findPlugins imports would then stand twice in memory, and a
  // refusal of the one half would be no SvcError to the other.
  const loading = ['--conditions=svc-source', '--no-experimental-require-module', '--import', 'tsx'];
  const child = spawn(process.execPath, [...loading, program, '--reporter', reporter, ...args, ...specs], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SVC_TEST_SERVER_URL: url, SVC_TEST_COUNTS: counts },
  });
  mocha = child;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Passed, failed and skipped, or undefined when mocha did not reach its end. */
function readCounts(path: string): { passed: number; failed: number; skipped: number } | undefined {
  if (!existsSync(path)) return undefined;
  const kept: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const count = (name: string): number => {
    const value: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : undefined;
    return typeof value === 'number' ? value : 0;
  };
  return { passed: count('passes'), failed: count('failures'), skipped: count('pending') };
}

/** Says what ran and what did not; the exit code of the whole run. */
function report(code: number, counts: ReturnType<typeof readCounts>): number {
  const own = (process.env['SVC_TEST_DATABASE_URL'] ?? '') === '';
  say(own ? 'The tests ran on a database server of their own.' : 'The tests ran on SVC_TEST_DATABASE_URL.');
  if (files.length > 0) say(`Only these were asked for: ${files.join(' ')}`);
  const mongo = (process.env['SVC_TEST_MONGODB_URL'] ?? '') !== '';
  say(
    mongo
      ? 'The jobs suite had MongoDB at SVC_TEST_MONGODB_URL.'
      : 'The jobs suite did not run on MongoDB: SVC_TEST_MONGODB_URL is not set.',
  );
  if (!counts) say('The run was cut short: mocha did not reach its end.');
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  if (counts && passed + failed === 0) say('No test ran, which counts as a failure.');
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return code !== 0 ? code : !counts || passed + failed === 0 || failed > 0 ? 1 : 0;
}

const folder = await mkdtemp(join(tmpdir(), prefix));
let code = 1;
try {
  const { url, stop } = await server(folder);
  try {
    const counts = join(folder, 'counts.json');
    if (interrupted === undefined) code = await runMocha(url, counts);
    code = report(code, readCounts(counts));
  } finally {
    await stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = interrupted === undefined ? code : 128 + constants.signals[interrupted];
