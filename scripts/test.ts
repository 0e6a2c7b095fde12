import { counted } from '#config/counted.js';
import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { compileSources } from './test-build.js';
import { changedFiles, readSources, testsOf } from './test-changed.js';
import { allTestFiles, filesMatching, takePatterns } from './test-files.js';
import { skippedLines, takeProducts, withNeeds } from './test-products.js';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

/**
 * `npm test`: runs mocha on private database servers, or on the server at SVC_TEST_DATABASE_URL. Arguments are passed
 * to mocha. Without a file or pattern among them, all tests run, in several processes with a server each, because some
 * tests read counters of the whole server or make it read-only. `--jobs 1` runs them in one process.
 * There is one process more than cores: tests of kills, outages and pages wait half of their time.
 * `--products email,sms` runs them on deployments that have only these products and the products that they need, and
 * skips the suites that need others. `--changed` runs only what the changes since the main branch can break
 * (test-changed.ts).
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const prefix = 'svc-test-';
/** Of the databases of this run. */
const databasePrefix = `svc_test_${randomBytes(4).toString('hex')}_`;
const { products: chosen, rest } = takeProducts(process.argv.slice(2));
const products = chosen && withNeeds(await findPlugins(), chosen);
const { jobs: wanted, rest: words } = takeJobs(rest);
const onlyChanged = words.includes('--changed');
const { patterns, rest: args } = takePatterns(words.filter((word) => word !== '--changed'));
const specs = await specsOf().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
if (specs.length === 0) {
  process.stdout.write('No test reaches what differs from the main branch.\n');
  process.exit(0);
}
const given = process.env['SVC_TEST_DATABASE_URL'] ?? '';
/** Servers and workers of more would need too much memory. */
const mostCores = 4;
const jobs = wanted ?? (given === '' && patterns.length === 0 ? Math.min(availableParallelism(), mostCores) + 1 : 1);
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

let mocha: ChildProcess | undefined;
let interrupted: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted ??= signal;
    mocha?.kill(signal);
    // A test that blocks the event loop must not leave the database and its folder behind.
    setTimeout(() => mocha?.kill('SIGKILL'), 5_000).unref();
  });
}

/**
 * The test files to run, each once, those first that run longest.
 * @throws Error for a pattern that matches no file
 */
async function specsOf(): Promise<string[]> {
  const all = await allTestFiles(root);
  const named = patterns.length === 0 ? all : filesMatching(patterns, all, root);
  if (!onlyChanged) return named;
  const tests = testsOf(changedFiles(root), readSources(root));
  return tests ? named.filter((path) => tests.includes(path)) : named;
}

/** Takes `--jobs <number>` out of the arguments. */
function takeJobs(all: readonly string[]): { jobs: number | undefined; rest: string[] } {
  const at = all.indexOf('--jobs');
  if (at === -1) return { jobs: undefined, rest: [...all] };
  const jobs = Number(all[at + 1]);
  if (!Number.isInteger(jobs) || jobs < 1) throw new Error('--jobs wants a number of processes: --jobs 2.');
  return { jobs, rest: all.toSpliced(at, 2) };
}

/**
 * Stops the servers of test runs that were killed and removes their folders. Runs that are still alive are left alone.
 */
async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const path of names.map((name) => join(tmpdir(), name))) {
    const lock = await stat(join(path, 'database', 'owner.json')).catch(() => undefined);
    if (lock?.uid !== process.getuid?.()) continue;
    const ended = await startPrivateServer({ stateDir: path, log: silentLog, durable: false, unrestricted: true }).then(
      async (left) => left.stop().then(() => true),
      () => false,
    );
    if (ended) await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Servers {
  urls: readonly string[];
  stop: () => Promise<void>;
}

/** The database servers to test on, one for each process, and a way to stop them. */
async function startServers(folders: readonly string[]): Promise<Servers> {
  if (given !== '') return { urls: [given], stop: dropDatabases };
  await removeLeftovers();
  const options = { log: silentLog, durable: false, unrestricted: true };
  const started: Awaited<ReturnType<typeof startPrivateServer>>[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.stop()));
  };
  try {
    // One after the other: the first one may have to install the server's programs.
    for (const stateDir of folders) started.push(await startPrivateServer({ ...options, stateDir, progress: say }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { urls: started.map(({ url }) => url), stop };
}

/** Whether the server at SVC_TEST_DATABASE_URL is Vitess: some tests are skipped there (test/support/vitess.ts). */
async function isVitess(): Promise<boolean> {
  if (given === '') return false;
  const server = await createConnection({ uri: given });
  const [[row]] = await server.query<(RowDataPacket & { version: string })[]>('SELECT VERSION() AS version');
  await server.end();
  return /vitess/i.test(row?.version ?? '');
}

/** Removes the databases that tests left on the server at SVC_TEST_DATABASE_URL. */
async function dropDatabases(): Promise<void> {
  const server = await createConnection({ uri: given });
  // Not from information_schema, where Vitess has the names of its shards.
  const [rows] = await server.query<(RowDataPacket & { Database: string })[]>('SHOW DATABASES');
  const names = rows.map(({ Database: name }) => name).filter((name) => name.startsWith(databasePrefix));
  for (const name of names) await server.query('DROP DATABASE ??', [name]);
  await server.end();
}

/** Runs mocha. @returns its exit code */
async function runMocha(urls: readonly string[], compiled: string, counts: string, skipped: string): Promise<number> {
  const program = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
  const reporter = fileURLToPath(new URL('../test/support/reporter.ts', import.meta.url));
  const processes = jobs === 1 ? [] : ['--parallel', '--jobs', String(jobs)];
  // Mocha uses require() if Node supports it for ES modules. Modules that findPlugins imports would then be loaded
  // twice, and an SvcError of one copy would not be an instance of the other's class.
  const loading = ['--conditions=svc-source', '--no-experimental-require-module', '--import', 'tsx'];
  const all = [...loading, program, '--reporter', reporter, ...args, ...processes, ...specs];
  const child = spawn(process.execPath, all, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      SVC_TEST_SERVER_URLS: urls.join(' '),
      SVC_TEST_COMPILED: compiled,
      SVC_TEST_COUNTS: counts,
      SVC_TEST_DATABASE_PREFIX: databasePrefix,
      ...((await isVitess()) && { SVC_TEST_VITESS: '1' }),
      SVC_TEST_SKIPPED: skipped,
      ...(products && { SVC_TEST_PRODUCTS: products.join(',') }),
    },
  });
  mocha = child;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** The numbers of passed, failed and skipped tests; undefined if mocha did not finish. */
function readCounts(path: string): { passed: number; failed: number; skipped: number } | undefined {
  if (!existsSync(path)) return undefined;
  const kept: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const count = (name: string): number => {
    const value: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : undefined;
    return typeof value === 'number' ? value : 0;
  };
  return { passed: count('passes'), failed: count('failures'), skipped: count('pending') };
}

/** Prints what ran and what did not. @returns the exit code of the whole run */
function report(code: number, counts: ReturnType<typeof readCounts>, skippedSuites: readonly string[]): number {
  const ground = given === '' ? 'private database servers' : 'the server at SVC_TEST_DATABASE_URL';
  say(`The tests ran in ${counted(jobs, 'process', 'processes')} on ${ground}.`);
  if (onlyChanged) say(`Only what the changes can break was run: ${counted(specs.length, 'file')}.`);
  if (patterns.length > 0) say(`Only these files were run: ${patterns.join(' ')}`);
  if (products) say(`Deployments had only these products: ${products.join(', ')}.`);
  for (const line of skippedSuites) say(line);
  const mongo = (process.env['SVC_TEST_MONGODB_URL'] ?? '') !== '';
  say(
    mongo
      ? 'The jobs suite also ran on MongoDB.'
      : 'The jobs suite did not run on MongoDB: SVC_TEST_MONGODB_URL is not set.',
  );
  if (!counts) say('The run was cut short: mocha did not finish.');
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  if (counts && passed + failed === 0) say('No test ran, which counts as a failure.');
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return code !== 0 ? code : !counts || passed + failed === 0 || failed > 0 ? 1 : 0;
}

const folders = await Promise.all(
  Array.from({ length: given === '' ? jobs : 1 }, () => mkdtemp(join(tmpdir(), prefix))),
);
let code = 1;
try {
  const { urls, stop } = await startServers(folders);
  try {
    const counts = join(folders[0] ?? tmpdir(), 'counts.json');
    const skipped = join(folders[0] ?? tmpdir(), 'skipped.jsonl');
    const compiled = join(folders[0] ?? tmpdir(), 'compiled');
    await compileSources(compiled);
    if (interrupted === undefined) code = await runMocha(urls, compiled, counts, skipped);
    code = report(code, readCounts(counts), skippedLines(skipped));
  } finally {
    await stop();
  }
} finally {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
}
process.exitCode = interrupted === undefined ? code : 128 + constants.signals[interrupted];
