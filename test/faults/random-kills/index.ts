import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments, usage } from './options.js';
import { runFaults } from './run.js';
import { summaryText } from './summary.js';

/*
 * `npm run faults`: kills nodes and the database at random while clients use the deployment, and checks the promises of
 * docs/reliability.md. `npm run faults -- --help` lists the options.
 */
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const root = fileURLToPath(new URL('../../..', import.meta.url));

async function main(): Promise<number> {
  const request = readArguments(process.argv.slice(2));
  if (request === undefined || typeof request === 'string') {
    say(request === undefined ? usage : `${request}\n\n${usage}`);
    return request === undefined ? 0 : 1;
  }
  if (!existsSync(join(root, 'dist/scripts/start.js'))) {
    say('There is no build in dist/. Run npm run build first.');
    return 1;
  }
  process.env['SVC_TEST_COMPILED'] = root;
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
  const folder = resolve(request.resume ?? (await mkdtemp(join(tmpdir(), 'svc-faults-'))));
  say(`Seed ${request.seed}, folder ${folder}`);
  const summary = await runFaults({ ...request, folder, say, interrupted: interrupted.signal });
  say(`\n${summaryText(summary)}\n\nContinue with --resume ${folder}`);
  return summary.violations.length === 0 ? 0 : 1;
}

process.exit(await main());
