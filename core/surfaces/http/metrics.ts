import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry as MetricsRegistry,
} from 'prom-client';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { Log } from '#core/runtime/log.js';

/** The metrics behind GET /metrics. */
export interface Metrics {
  /** @param operation the operation's name, or the page's address */
  observe(operation: string, status: number, seconds: number): void;
  text(): Promise<{ body: string; type: string }>;
}

/** What one of several processes measured. */
export type ProcessMetrics = Awaited<ReturnType<MetricsRegistry['getMetricsAsJSON']>>;

/** Other processes that share the port, if SVC_PROCESSES is more than 1. */
export interface MetricsOfAll {
  /** Collects the metrics of all processes, as the text of GET /metrics. */
  collect(): Promise<string>;
  /** Calls `own` when another process collects. */
  answer(own: () => Promise<ProcessMetrics>): void;
}

/** @returns the text of GET /metrics: counts are added up; of what every process reads, such as queues, the largest */
export const mergeMetrics = (all: ProcessMetrics[]): Promise<string> => AggregatorRegistry.aggregate(all).metrics();

/**
 * The sum of what processes that have ended counted. Without it a counter would fall when a process ends, which
 * Prometheus takes for a restart of all. Their gauges are left out.
 */
export const countsOf = (ended: ProcessMetrics[]): Promise<ProcessMetrics> =>
  AggregatorRegistry.aggregate(
    ended.map((metrics) => metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))),
  ).getMetricsAsJSON();

export interface MetricsOptions {
  /** The names of all event consumers. */
  consumers: readonly string[];
  /** Counts batches of events that failed, by consumer. */
  failingBatches: () => Promise<ReadonlyMap<string, number>>;
  /** Seconds that the longest-waiting due work has waited, by the queue's name. */
  oldestDue: () => Promise<ReadonlyMap<string, number>>;
  /** The database's servers, if SVC_DATABASE_URL has several hosts. */
  servers: ConnectedDatabase['servers'];
  log: Log;
  ofAll?: MetricsOfAll | undefined;
}

export function createMetrics({ consumers, failingBatches, oldestDue, servers, log, ofAll }: MetricsOptions): Metrics {
  const registry = new MetricsRegistry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'svc_request_duration_seconds',
    help: 'Duration of calls by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const failing = new Gauge({
    name: 'svc_event_batches_failing',
    help: 'Batches of events whose consumer failed at the last attempt, on all nodes. They are retried.',
    labelNames: ['consumer'],
    registers: [registry],
    aggregator: 'max',
    collect: () => countFailing(),
  });
  const waiting = new Gauge({
    name: 'svc_work_oldest_due_seconds',
    help: 'How long the longest-waiting due work of a queue has waited for a worker, on all nodes; 0 if nothing is due.',
    labelNames: ['queue'],
    registers: [registry],
    aggregator: 'max',
    collect: () => readWaiting(),
  });
  const readWaiting = async (): Promise<void> => {
    waiting.reset();
    try {
      for (const [queue, seconds] of await oldestDue()) waiting.set({ queue }, seconds);
    } catch (error) {
      log.warn({ err: error }, 'reading the waiting work failed; the metrics leave it out');
    }
  };
  const countFailing = async (): Promise<void> => {
    failing.reset();
    try {
      const counts = await failingBatches();
      for (const consumer of new Set([...consumers, ...counts.keys()]))
        failing.set({ consumer }, counts.get(consumer) ?? 0);
    } catch (error) {
      log.warn({ err: error }, 'counting failing event batches failed; the metrics leave them out');
    }
  };
  if (servers()) addServers(registry, servers);
  /** Cached by operation and status: looking up labels costs a hash per request. */
  const known = new Map<string, Histogram.Internal<'operation' | 'status'>>();
  const lineOf = (operation: string, status: number): Histogram.Internal<'operation' | 'status'> => {
    const name = `${operation} ${status}`;
    const line = known.get(name) ?? requests.labels({ operation, status });
    known.set(name, line);
    return line;
  };
  ofAll?.answer(() => registry.getMetricsAsJSON());
  return {
    observe: (operation, status, seconds) => lineOf(operation, status).observe(seconds),
    text: async () => ({
      body: await (ofAll ? ofAll.collect() : registry.metrics()),
      type: registry.contentType,
    }),
  };
}

/** Which of the database's servers is the primary, and how often that changed. */
function addServers(registry: MetricsRegistry, servers: ConnectedDatabase['servers']): void {
  const primary = new Gauge({
    name: 'svc_database_primary',
    help: 'Processes for which this server of SVC_DATABASE_URL is the primary.',
    labelNames: ['server'],
    registers: [registry],
    aggregator: 'sum',
    collect() {
      const known = servers();
      for (const place of known?.places ?? []) primary.set({ server: place }, place === known?.primary ? 1 : 0);
    },
  });
  const changes = new Counter({
    name: 'svc_database_primary_changes_total',
    help: 'How often processes have changed to another server of SVC_DATABASE_URL.',
    registers: [registry],
    collect() {
      changes.reset();
      changes.inc(servers()?.changes ?? 0);
    },
  });
}
