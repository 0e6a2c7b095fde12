import { spawn } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingsError } from '#config/read.js';
import { startPlatform, type Platform } from '#core/platform/platform.js';
import { StartError } from '#core/platform/start-error.js';
import { openState } from '#core/platform/state.js';
import { createLog } from '#core/runtime/log.js';
import type { Clock } from '#core/runtime/clock.js';
import { Svc } from '#core/surfaces/sdk/index.js';
import { tellStory } from './demo/story.js';
import { serverSettings } from './server-settings.js';

/*
 * `npm run demo`: a server with the life of a small company in it, to look around in. The first run fills a new
 * deployment in the folder `var/demo`, with a clock that begins three months ago; later runs start it again.
 */

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const stateDir = process.env['SVC_STATE_DIR'] ?? join('var', 'demo');
/** Written when everything is there. */
const filled = join(stateDir, 'demo-filled');
const dayMs = 86_400_000;
const amounts = { weeks: 13, customersAtFirst: 800, customersAWeek: 60 };

/** So that the invoices have amounts. */
const prices = {
  currency: 'USD',
  prices: [
    {
      meter: 'email.message',
      from: '2026-01',
      tiers: [
        { upTo: 100, unitPrice: '0' },
        { upTo: null, unitPrice: '0.002' },
      ],
    },
    { meter: 'email.broadcast_message', from: '2026-01', tiers: [{ upTo: null, unitPrice: '0.001' }] },
  ],
};

/** Sets what differs from `npm start`: a start compares these settings with those of the one before. */
async function prepareSettings(): Promise<void> {
  process.env['SVC_STATE_DIR'] = stateDir;
  process.env['SVC_PROCESSES'] = '1';
  const path = join(stateDir, 'prices.json');
  process.env['SVC_PRICES_FILE'] ??= path;
  await mkdir(stateDir, { recursive: true });
  await writeFile(path, JSON.stringify(prices));
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A clock that stands still until it is moved. */
function storyClock(from: number): Clock & { advance(ms: number): void } {
  let time = from;
  const now = (): Date => new Date(time);
  return { now, isTrusted: () => true, certain: now, aheadUntil: () => null, advance: (ms) => void (time += ms) };
}

/** One worker may create work for another, such as an event for an automation. */
async function settled({ workers }: Platform): Promise<void> {
  for (let round = 0; round < 5; round += 1) await Promise.all(workers.map((worker) => worker.idle()));
}

/**
 * Fills a new deployment in the state folder.
 * @throws StartError if the folder has a deployment that the demo did not make
 */
async function fill(): Promise<void> {
  const { plugins, settings } = await serverSettings();
  if (settings.core.databaseUrl !== undefined)
    throw new StartError(
      'The demo uses a private database in its own folder. Unset SVC_DATABASE_URL, then run it again.',
    );
  const log = createLog('silent');
  const state = await openState(settings, log, say);
  const clock = storyClock(Date.now() - amounts.weeks * 7 * dayMs);
  const platform = await startPlatform({ settings, plugins, ...state, log, clock, withoutJobs: true });
  try {
    const { firstRun, address } = platform;
    if (!firstRun)
      throw new StartError(
        `${stateDir} has a deployment that the demo did not finish, or did not make. Delete the folder, or set SVC_STATE_DIR to another one.`,
      );
    const { live } = firstRun.keys;
    const client = (apiKey: string): Svc => new Svc({ baseUrl: address, apiKey });
    say('Filling it with three months of a small company. This takes one or two minutes.');
    await tellStory(
      {
        svc: client(live.secret),
        app: client(live.publishable),
        projectId: firstRun.projectId,
        advance: (ms) => clock.advance(ms),
        settled: () => settled(platform),
        say,
      },
      amounts,
    );
  } finally {
    await platform.stop();
    await state.stop();
  }
  await writeFile(filled, '');
}

try {
  await prepareSettings();
  if (!(await exists(filled))) await fill();
  say('Starting svc. Open /console at its address and choose “Sign in as owner@mail.localhost”.');
  const program = fileURLToPath(new URL('start.js', import.meta.url));
  const server = spawn(process.execPath, ['--max-semi-space-size=8', '--heap-growing-percent=40', program], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void server.kill(signal));
  server.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  const isPlain = error instanceof SettingsError || error instanceof StartError;
  const text = error instanceof Error ? ((isPlain ? undefined : error.stack) ?? error.message) : String(error);
  process.stderr.write(`The demo cannot start: ${text}\n`);
  process.exit(1);
}
