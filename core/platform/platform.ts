import { fileURLToPath } from 'node:url';
import type { coreSettings } from '#config/core.js';
import type { Settings } from '#config/read.js';
import type { CallerLookup } from '#core/kernel/caller/lookup.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { environments } from '#core/kernel/environment/environment.js';
import { createCeiling } from '#core/kernel/limits/ceiling.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { provide } from '#core/kernel/port.js';
import { standings, type Standings } from '#core/kernel/ports.js';
import { createRegistry } from '#core/kernel/registry.js';
import { createRunner } from '#core/kernel/runner/runner.js';
import { systemTransaction } from '#core/kernel/runner/system.js';
import type { Services } from '#core/kernel/services.js';
import { systemClock, type Clock } from '#core/runtime/clock.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { findMigrations, migrate, withStartLock } from '#core/runtime/database/migrate.js';
import { createHttpClient } from '#core/runtime/http-client/client.js';
import type { Log } from '#core/runtime/log.js';
import { createVault } from '#core/runtime/secrets/vault.js';
import { startServer, type RunningServer } from '#core/runtime/server.js';
import { startWorker, type Worker } from '#core/runtime/work/worker.js';
import { createApp } from '#core/surfaces/http/app.js';
import { checkDatabase } from './check-database.js';
import { firstRun, type FirstRun } from './first-run.js';
import { housekeeping } from './housekeeping.js';
import { startTicking } from './ticking.js';

export interface PlatformOptions {
  settings: Settings<typeof coreSettings>;
  plugins: readonly Plugin[];
  databaseUrl: string;
  rootKey: Buffer;
  log: Log;
  /** Tests move time; never by a setting. */
  clock?: Clock;
  /** Tests: replies that do not fit their schema fail the call. */
  strictReplies?: boolean;
  /** Tests: no recurring jobs, whose work they call themselves. */
  withoutJobs?: boolean;
  /** Tests: how long a request's body may take to arrive. */
  arrivalMs?: number;
  progress?: (line: string) => void;
}

/** A running svc. */
export interface Platform {
  readonly services: Services;
  readonly address: string;
  readonly firstRun: FirstRun | undefined;
  readonly workers: readonly Worker[];
  stop(): Promise<void>;
}

const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** Leaves environments of closed accounts out of a queue's turn. */
const closedFilter = 'AND waiting.environment_id NOT IN (SELECT id FROM svc_environment WHERE closed_at IS NOT NULL)';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function deploymentOf({ core, of }: Settings<typeof coreSettings>, products: readonly string[]): Deployment {
  const host = core.host.includes(':') ? `[${core.host}]` : core.host;
  const baseUrl = (core.baseUrl ?? `http://${host}:${core.port}`).replace(/\/+$/, '');
  const production = core.baseUrl !== undefined && !loopback.has(new URL(core.baseUrl).hostname);
  return { settings: core, settingsOf: of, baseUrl, production, products };
}

/**
 * Brings svc up: registry, database, migrations, first account, workers, jobs, HTTP - each thing after what it stands on.
 * @throws RegistryError, SettingsError or the database's error, each with the mend in its message
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { settings, plugins, log } = options;
  const late: { standing?: Standings } = {};
  const standing = provide(standings, () => late.standing ?? { of: () => Promise.reject(new Error('The ceiling does not stand yet.')) });
  const registry = createRegistry(plugins, settings.core.products, [standing]);
  const deployment = deploymentOf(settings, registry.products);
  const database = await connectDatabase({
    url: options.databaseUrl,
    entities: [environments, ...registry.plugins.flatMap((plugin) => plugin.tables)],
    poolSize: settings.core.databasePool,
  });
  const stops: (() => Promise<void>)[] = [() => database.close()];
  try {
    await checkDatabase(database, deployment, log);
    const clock = options.clock ?? systemClock(database.clockOffsetMs);
    const vault = createVault(options.rootKey);
    const http = createHttpClient({ allow: settings.core.outboundAllow });
    stops.unshift(() => http.close());
    const ceiling = createCeiling(database, clock, log);
    stops.unshift(() => ceiling.stop());
    late.standing = { of: (keyId) => ceiling.standing(keyId) };
    const lookup: CallerLookup = {};
    const workers = new Map<string, Worker>();
    const wake = (queue: string): void => workers.get(queue)?.wake();
    const shared = { registry, database, clock, vault, deployment, wake };
    const call = createRunner({ ...shared, ceiling, lookup, strictReplies: options.strictReplies === true });
    const services: Services = { registry, deployment, database, clock, log, vault, http, call, transaction: systemTransaction(shared), wake };

    const opened = await withStartLock(database, async () => {
      const ran = await migrate(database, await findMigrations(migrationsFolder, ['core', ...registry.products]));
      if (ran > 0) options.progress?.(`Migrated the database: ${ran} statements.`);
      return firstRun(services);
    });
    for (const plugin of registry.plugins) {
      const made = plugin.callers?.(services);
      if (!made) continue;
      Object.assign(lookup, made);
      if (made.stop) stops.unshift(made.stop);
    }
    const role = settings.core.role;
    if (role !== 'api') {
      for (const queue of registry.plugins.flatMap((plugin) => plugin.work?.(services) ?? [])) {
        const worker = startWorker({ queue, database, clock, log, closedFilter });
        workers.set(queue.name, worker);
        stops.unshift(() => worker.stop());
      }
      if (options.withoutJobs !== true) {
        const jobs = await startTicking(services, [...housekeeping(services), ...registry.plugins.flatMap((plugin) => plugin.jobs?.(services) ?? [])]);
        stops.unshift(() => jobs.stop());
      }
    }
    const server = await listen(services, options.arrivalMs);
    stops.unshift(() => server.stop());
    return { services, address: server.address, firstRun: opened, workers: [...workers.values()], stop: () => inOrder(stops) };
  } catch (error) {
    await inOrder(stops);
    throw error;
  }
}

/** HTTP last: nobody is answered before everything stands. A worker answers its health alone through the same app. */
async function listen(services: Services, arrivalMs: number | undefined): Promise<RunningServer & { stop(): Promise<void> }> {
  const { host, port } = services.deployment.settings;
  let stopping = false;
  const app = createApp(services, () => stopping, arrivalMs);
  const server = await startServer(app.callback(), host, port);
  return {
    address: server.address,
    stop() {
      stopping = true;
      return server.stop();
    },
  };
}

async function inOrder(stops: readonly (() => Promise<void>)[]): Promise<void> {
  for (const stop of stops) await stop();
}
