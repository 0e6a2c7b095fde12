import { setTimeout as pause } from 'node:timers/promises';
import { disabledErasers } from '#core/kernel/erasure/deferred.js';
import { erasures } from '#core/kernel/erasure/queue.js';
import { eventConsumers } from '#core/kernel/events/consumers.js';
import { startSequencer } from '#core/kernel/events/sequencer.js';
import type { Registry } from '#core/kernel/registry/registry.js';
import type { Services } from '#core/kernel/services.js';
import { databaseClock } from '#core/runtime/database-clock.js';
import { startServer } from '#core/runtime/server.js';
import { startPoller } from '#core/runtime/work/poller.js';
import type { WorkQueue } from '#core/runtime/work/queue.js';
import { startWorker, type Worker } from '#core/runtime/work/worker.js';
import { createApp, type AppOptions } from '#core/surfaces/http/app.js';
import type { MetricsOfAll } from '#core/surfaces/http/metrics.js';
import { createShards } from '#core/surfaces/http/shards.js';
import { connectionClient } from '#core/surfaces/http/client-address.js';
import type { FirstRun } from './first-run.js';
import { housekeeping } from './housekeeping.js';
import { announceNode } from './nodes.js';
import { openServices, type OpenOptions } from './open.js';
import { listenError, listenerError } from './start-checks.js';
import { openJobsUrl, startRecurringJobs } from './start-jobs.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { missingTables } from '#core/runtime/database/missing-tables.js';
import { tableNameOf } from '#core/runtime/database/table.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { StartError } from './start-error.js';

/**
 * Checks, after the database is migrated, that it has the tables of the enabled plugins and of the work queues. One
 * statement looks for due work in all queues, and would fail for all of them if one had no table.
 * @throws StartError naming each missing table and its user
 */
export async function checkTables(
  database: ReadSession,
  plugins: readonly Plugin[],
  queues: readonly WorkQueue[],
): Promise<void> {
  const needed = [
    ...plugins.flatMap(({ name, tables }) =>
      tables.map((each) => ({ table: tableNameOf(each), of: `the plugin ${name}` })),
    ),
    ...queues.map(({ name, table }) => ({ table, of: `the work queue ${name}` })),
  ];
  const missing = new Set(
    await missingTables(
      database,
      needed.map(({ table }) => table),
    ),
  );
  if (missing.size === 0) return;
  const problems = needed
    .filter(({ table }) => missing.has(table))
    .map(({ table, of }) => `The database has no table ${table}, which ${of} uses.`);
  throw new StartError(
    `${problems.join('\n')}\n  Create it in a migration under migrations/<product>/ (docs/plugins.md, Tables and migrations). If the table existed before, restore the whole backup (docs/operating.md, Backups).`,
  );
}

export interface PlatformOptions extends OpenOptions {
  /** Tests: no recurring jobs; tests call their work themselves. */
  withoutJobs?: boolean;
  /** Tests: how long a request's body may take to arrive. */
  arrivalMs?: number;
  /** Other processes of the same server (scripts/processes). */
  metricsOfAll?: MetricsOfAll;
}

/** A running svc. */
export interface Platform {
  readonly services: Services;
  readonly registry: Registry;
  readonly address: string;
  readonly firstRun: FirstRun | undefined;
  /** See `Opened`. */
  readonly ownerNotices: readonly string[];
  readonly workers: readonly Worker[];
  /** @param endDelay ends the wait of SVC_STOP_DELAY_SECONDS */
  stop(endDelay?: AbortSignal): Promise<void>;
}

/**
 * Starts svc: services, workers, jobs, listeners, then HTTP. `stop` stops them together, then the services.
 * @throws RegistryError, SettingsError or the database's error, each with how to fix it in its message
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const workers = new Map<string, Worker>();
  const { role, jobsUrl } = options.settings.core;
  const jobsStore = role === 'api' || options.withoutJobs === true ? undefined : await openJobsUrl(jobsUrl);
  const opened = await openServices(options, (queue) => workers.get(queue)?.wake()).catch(async (error: unknown) => {
    await jobsStore?.disconnect();
    throw error;
  });
  const { services, background, registry, firstRun, ownerNotices } = opened;
  const { clock, log, deployment } = services;
  const running: Stoppable[] = [];
  const node: { row?: Stoppable } = {};
  const stopAll = async (): Promise<void> => {
    await stopTogether(running);
    // Last: until then, a migration must not run.
    await node.row?.stop();
    await opened.close();
    await jobsStore?.disconnect();
  };
  const workedQueues: WorkQueue[] = [];
  let lateJobs: AppOptions['lateJobs'];
  try {
    node.row = await announceNode(background.database);
    if (role !== 'api') {
      const consumers = registry.plugins.flatMap((plugin) => plugin.consumes ?? []);
      const erasers = registry.plugins.flatMap((plugin) => plugin.eraser?.(background) ?? []);
      const queues = await Promise.all(registry.plugins.map(async (plugin) => plugin.work?.(background) ?? []));
      const start = (worker: Worker): void => {
        workers.set(worker.queue, worker);
        running.push(worker);
      };
      await checkTables(background.database, registry.plugins, queues.flat());
      const disabled = await disabledErasers(background.database, options.plugins, deployment.products);
      for (const queue of [erasures(background, erasers, disabled), ...queues.flat()]) {
        workedQueues.push(queue);
        start(startWorker({ queue, database: background.database, clock, log }));
      }
      const consumerQueue = eventConsumers(background, consumers);
      workedQueues.push(consumerQueue);
      const consumerWorker = startWorker({ queue: consumerQueue, database: background.database, clock, log });
      start(consumerWorker);
      const { noteBatches } = consumerQueue;
      start(
        startSequencer({ database: background.database, consumers, clock, log, worker: consumerWorker, noteBatches }),
      );
      const sources = [...workers.values()].flatMap((worker) => worker.sources);
      const poller = startPoller({
        database: background.database,
        clock,
        log,
        sources,
        observe: databaseClock.observe,
      });
      running.push(poller);
      if (options.withoutJobs !== true) {
        const recurring = [
          ...housekeeping(background, workedQueues),
          ...registry.plugins.flatMap((plugin) => plugin.jobs?.(background) ?? []),
        ];
        const jobs = await startRecurringJobs(background, recurring, jobsStore);
        running.push(jobs);
        lateJobs = () => jobs.lateness();
      }
    } else {
      await checkTables(background.database, registry.plugins, []);
      const observe = databaseClock.observe;
      const poller = startPoller({ database: background.database, clock, log, sources: [], observe, pollMs: 1_000 });
      running.push(poller);
    }
    for (const listener of registry.plugins.flatMap((plugin) => plugin.listeners?.(services) ?? [])) {
      if (![listener.role, 'all'].includes(deployment.settings.role)) continue;
      await listener.start().catch((error: unknown) => {
        throw listenerError(listener, error);
      });
      running.push(listener);
    }
    const server = await listen({
      services,
      probe: opened.probe,
      plugins: registry.plugins,
      workedQueues,
      measured: opened.measured,
      lateJobs,
      arrivalMs: options.arrivalMs,
      metricsOfAll: options.metricsOfAll,
    });
    running.push(server);
    return {
      services,
      registry,
      address: server.address,
      firstRun,
      ownerNotices,
      workers: [...workers.values()],
      async stop(endDelay) {
        await server.announceStop(endDelay);
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

interface Listening {
  readonly address: string;
  /** Has /readyz answer 503, and waits for balancers to see it. */
  announceStop(endDelay: AbortSignal | undefined): Promise<void>;
  stop(): Promise<void>;
}

/** Started last, so that no request is answered before everything else runs. */
async function listen(options: Omit<AppOptions, 'isStopAnnounced' | 'shards'>): Promise<Listening> {
  const { host, port, stopDelaySeconds, trustProxy } = options.services.deployment.settings;
  let announced = false;
  const shards = createShards(options.services);
  const answer = createApp({ ...options, isStopAnnounced: () => announced, shards }).callback();
  const server = await startServer((request, response) => void answer(request, response), {
    host,
    port,
    clientOf: connectionClient(trustProxy),
  }).catch((error: unknown) => {
    throw listenError(error, host, port);
  });
  return {
    address: server.address,
    async announceStop(endDelay) {
      announced = true;
      if (stopDelaySeconds === 0) return;
      // Aborted by the second signal.
      await pause(stopDelaySeconds * 1000, undefined, { ...(endDelay && { signal: endDelay }) }).catch(() => undefined);
    },
    async stop() {
      announced = true;
      await server.stop();
      await shards.close();
    },
  };
}

interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Stops everything at the same time, so that a stop takes as long as its slowest part: each waits 25 s at most for what
 * it is doing. What one part would have handed to another is committed, and the next process does it.
 */
async function stopTogether(running: readonly Stoppable[]): Promise<void> {
  const ended = await Promise.allSettled(running.map((each) => each.stop()));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
