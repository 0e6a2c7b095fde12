import { databaseTls } from '#core/kernel/database-tls.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { databaseAddress, placeOf } from '#core/runtime/database/address.js';
import type { ConnectedDatabase, ConnectOptions } from '#core/runtime/database/connect.js';
import { replicaProblem } from '#core/runtime/database/replica/problem.js';
import { openReplicas, type ReplicaReport, type Replicas } from '#core/runtime/database/replica/replicas.js';
import type { Log } from '#core/runtime/log.js';
import { StartError } from './start-error.js';

interface ReadReplicasOptions extends Pick<ConnectOptions, 'entities' | 'waits'> {
  readonly deployment: Deployment;
  readonly databaseUrl: string;
  /** The primary. */
  readonly database: ConnectedDatabase;
  readonly log: Log;
}

/** A replica answers only reads that may be old: half of the connections of the primary are enough. */
const poolShare = 2;
/** The fewest connections: one asks how old the data is, and one environment may use half of the rest. */
const leastPool = 4;

/**
 * Opens the replicas of SVC_DATABASE_READ_URL, after the primary was migrated.
 * @returns undefined if the setting is not set
 * @throws StartError if one refuses svc's user or is not a copy of the primary; one that is down is used later
 */
export async function openReadReplicas(options: ReadReplicasOptions): Promise<Replicas | undefined> {
  const { deployment, databaseUrl, database, entities, waits, log } = options;
  const { databaseReadUrl: url, databaseReadLagSeconds } = deployment.settings;
  if (url === undefined) return undefined;
  const replicas = await openReplicas({
    url,
    tls: databaseTls(deployment.settings),
    ...(entities && { entities }),
    ...(waits && { waits }),
    poolSize: Math.max(leastPool, Math.floor(deployment.processes.poolSize / poolShare)),
    primary: database,
    primaryPlace: () => database.servers()?.primary ?? placeOf(databaseAddress(databaseUrl)),
    limitMs: databaseReadLagSeconds * 1000,
    report: reporter(log),
  });
  const problems = replicas.problems().flatMap(({ url: each, place, problem }) => {
    return replicaProblem(problem, databaseAddress(each), place) ?? [];
  });
  if (problems.length === 0) return replicas;
  await replicas.close();
  throw new StartError(problems.map(({ message, fix }) => `${message}\n  ${fix}`).join('\n'));
}

/** Logs when a replica begins or ceases to be used. */
const reporter =
  (log: Pick<Log, 'info' | 'warn'>): ((report: ReplicaReport) => void) =>
  (report) => {
    const { place } = report;
    if (report.kind === 'used') log.info({ replica: place }, `reads that may be old use the replica ${place}`);
    else
      log.warn(
        { replica: place, reason: report.reason },
        `the replica ${place} is not used, and the primary is read instead: ${report.reason}`,
      );
  };
