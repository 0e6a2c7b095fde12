import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry as MetricsRegistry,
} from 'prom-client';
import type { EventCounts } from '#core/kernel/events/counts.js';
import type { ReplicaStatus } from '#core/runtime/database/replica/replicas.js';
import type { CommitWatch } from '#core/runtime/database/commits.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { loggedErrors, type Log } from '#core/runtime/log.js';

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

/**
 * The delays of the event loop, by prom-client's names. It averages them, which hides a process that stands still
 * behind others that do nothing.
 */
const worstOfAll = /^nodejs_eventloop_lag(?!_min)/;

/**
 * @returns the text of GET /metrics: counts are added up; of what every process reads, such as queues, and of the
 *   delays of event loops, the largest
 */
export const mergeMetrics = (all: ProcessMetrics[]): Promise<string> =>
  AggregatorRegistry.aggregate(
    all.map((metrics) =>
      metrics.map((metric) => (worstOfAll.test(metric.name) ? { ...metric, aggregator: 'max' } : metric)),
    ),
  ).metrics();

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
  /** Seconds since the first attempt of the oldest work that is being retried, by the queue's name. */
  oldestRetries: () => Promise<ReadonlyMap<string, number>>;
  /** Seconds by which recurring jobs are late, by name; absent on nodes that run none. */
  lateJobs?: (() => Promise<ReadonlyMap<string, number>>) | undefined;
  /** The events that this process has committed. */
  events: Pick<EventCounts, 'all'>;
  /** How often, and how long in total, callers have waited for a database connection. */
  connectionWaits: Readonly<Record<'waits' | 'seconds' | 'timeouts', number>>;
  /** The database's servers, if SVC_DATABASE_URL has several hosts. */
  servers: ConnectedDatabase['servers'];
  /** The replicas for reads, if there are some. */
  replicas: (() => ReplicaStatus[]) | undefined;
  /** Whether the database commits. */
  commits: Pick<CommitWatch, 'ageMs' | 'isCommitting'> | undefined;
  /** Constant facts about the process. */
  info: Readonly<Record<'version' | 'role' | 'base_url', string>>;
  /** Made by createLog: its errors are counted. */
  log: Log;
  ofAll?: MetricsOfAll | undefined;
}

/** A gauge with one label, of numbers that every node reads from the database and sees alike. */
interface SharedReading {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly read: () => Promise<Iterable<readonly [string, number]>>;
}

/** If reading fails, the gauge has no values. */
function addShared(registry: MetricsRegistry, { name, help, label, read }: SharedReading, log: Log): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      gauge.reset();
      try {
        for (const [of, value] of await read()) gauge.set({ [label]: of }, value);
      } catch (error) {
        log.warn({ err: error, metric: name }, 'reading a metric failed; the metrics leave it out');
      }
    },
  });
}

/** A count that its owner keeps, as numbers with their labels. */
interface OwnCount {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly read: () => Iterable<readonly [Record<string, string>, number]>;
}

function addCount(registry: MetricsRegistry, { name, help, labels = [], read }: OwnCount): void {
  const counter: Counter = new Counter({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      counter.reset();
      for (const [of, value] of read()) counter.inc(of, value);
    },
  });
}

function addLoggedErrors(registry: MetricsRegistry, log: Log): void {
  addCount(registry, {
    name: 'svc_log_errors_total',
    help: 'Lines logged at level error or fatal, by message.',
    labels: ['message'],
    read: function* () {
      for (const [message, count] of loggedErrors(log)) yield [{ message }, count];
    },
  });
}

/** What the supervisor of several processes counts itself: the errors in its own log. */
export function supervisorMetrics(log: Log): Promise<ProcessMetrics> {
  const registry = new MetricsRegistry();
  addLoggedErrors(registry, log);
  return registry.getMetricsAsJSON();
}

/** What monitoring itself calls: 503 there is an answer, such as while the process stops. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
/** Their counts begin at 0: Prometheus's increase() does not see the first event of a series that begins with it. */
const serverErrorStatuses = [500, 502, 503, 504];

export function createMetrics(options: MetricsOptions): Metrics {
  const {
    consumers,
    failingBatches,
    oldestDue,
    oldestRetries,
    lateJobs,
    events,
    connectionWaits,
    servers,
    replicas,
    commits,
    info,
    log,
    ofAll,
  } = options;
  const registry = new MetricsRegistry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'svc_request_duration_seconds',
    help: 'Duration of calls by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const serverErrors = new Counter({
    name: 'svc_server_errors_total',
    help: 'Calls that were answered with 5xx, by status; without /healthz, /readyz and /metrics.',
    labelNames: ['status'],
    registers: [registry],
  });
  for (const status of serverErrorStatuses) serverErrors.inc({ status }, 0);
  const labelsOfInfo = ['version', 'role', 'base_url'] as const;
  new Gauge({
    name: 'svc_info',
    help: 'Always 1; its labels are the version with its build, SVC_ROLE and the public address.',
    labelNames: labelsOfInfo,
    registers: [registry],
    aggregator: 'max',
  }).set(info, 1);
  addShared(
    registry,
    {
      name: 'svc_event_batches_failing',
      help: 'Batches of events whose consumer failed at the last attempt, on all nodes. They are retried.',
      label: 'consumer',
      async read() {
        const counts = await failingBatches();
        return [...new Set([...consumers, ...counts.keys()])].map((name) => [name, counts.get(name) ?? 0] as const);
      },
    },
    log,
  );
  addShared(
    registry,
    {
      name: 'svc_work_oldest_due_seconds',
      help: 'How long the longest-waiting due work of a queue has waited for a worker, on all nodes; 0 if nothing is due.',
      label: 'queue',
      read: oldestDue,
    },
    log,
  );
  addShared(
    registry,
    {
      name: 'svc_work_oldest_retry_seconds',
      help: 'How long ago the first attempt of the oldest work failed that waits for another attempt, on all nodes; 0 if none waits.',
      label: 'queue',
      read: oldestRetries,
    },
    log,
  );
  if (lateJobs)
    addShared(
      registry,
      {
        name: 'svc_job_late_seconds',
        help: 'How long ago a recurring job should have started, on all nodes; 0 if it is not due.',
        label: 'recurring_job',
        read: lateJobs,
      },
      log,
    );
  addCount(registry, {
    name: 'svc_events_total',
    help: 'Events that were committed, by type, by the kind of their environment (live or test), and for a few types by a detail.',
    labels: ['type', 'kind', 'detail'],
    read: function* () {
      for (const [{ type, kind, detail }, count] of events.all()) yield [{ type, kind, detail }, count];
    },
  });
  addLoggedErrors(registry, log);
  addCount(registry, {
    name: 'svc_database_waits_total',
    help: 'How often a caller or worker waited for a free database connection.',
    read: () => [[{}, connectionWaits.waits]],
  });
  addCount(registry, {
    name: 'svc_database_wait_seconds_total',
    help: 'How long callers and workers have waited for free database connections, together.',
    read: () => [[{}, connectionWaits.seconds]],
  });
  addCount(registry, {
    name: 'svc_database_wait_timeouts_total',
    help: 'Waits for a database connection that ended without one.',
    read: () => [[{}, connectionWaits.timeouts]],
  });
  if (commits) addCommits(registry, commits);
  if (servers()) addServers(registry, servers);
  if (replicas) addReplicas(registry, replicas);
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
    observe(operation, status, seconds) {
      lineOf(operation, status).observe(seconds);
      if (status >= 500 && !probes.has(operation)) serverErrors.inc({ status });
    },
    text: async () => ({
      body: await (ofAll ? ofAll.collect() : registry.metrics()),
      type: registry.contentType,
    }),
  };
}

/** How long ago the database committed. A server that commits nothing can answer everything else. */
function addCommits(registry: MetricsRegistry, { ageMs }: Pick<CommitWatch, 'ageMs'>): void {
  const age: Gauge = new Gauge({
    name: 'svc_database_commit_age_seconds',
    help: 'Seconds since the database has committed a change of the heartbeat, which each process makes every second.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      age.set(ageMs() / 1000);
    },
  });
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

/** How old the data of each replica may be, and which reads it answers. */
function addReplicas(registry: MetricsRegistry, replicas: () => ReplicaStatus[]): void {
  const gauge = (
    name: string,
    help: string,
    aggregator: 'max' | 'sum',
    valueOf: (one: ReplicaStatus) => number | undefined,
  ) => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: ['server'],
      registers: [registry],
      aggregator,
      collect() {
        made.reset();
        for (const replica of replicas()) {
          const value = valueOf(replica);
          if (value !== undefined) made.set({ server: replica.place }, value);
        }
      },
    });
  };
  gauge(
    'svc_database_replica_lag_seconds',
    'How far a server of SVC_DATABASE_READ_URL may be behind the primary; absent while it does not answer.',
    'max',
    ({ ageMs }) => ageMs && ageMs / 1000,
  );
  gauge(
    'svc_database_replica_used',
    'Processes that read from this server of SVC_DATABASE_READ_URL; the others read from the primary.',
    'sum',
    ({ isUsed }) => Number(isUsed),
  );
  addCount(registry, {
    name: 'svc_database_replica_reads_total',
    help: 'Calls that a server of SVC_DATABASE_READ_URL answered, and calls that were read again from the primary, by outcome.',
    labels: ['server', 'outcome'],
    read: () =>
      replicas().flatMap(({ place: server, answered, repeated }) => [
        [{ server, outcome: 'answered' }, answered] as const,
        [{ server, outcome: 'repeated' }, repeated] as const,
      ]),
  });
}
