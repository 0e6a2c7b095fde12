import { counted } from '#config/counted.js';
import type { coreSettings } from '#core/kernel/settings.js';
import { databaseTls } from '#core/kernel/database-tls.js';
import type { Settings } from '#config/read.js';
import type { Authenticator } from '#core/kernel/caller/authenticator.js';
import { createBearerResolver } from '#core/kernel/runner/bearer-resolver.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { environments } from '#core/kernel/environment/environment.js';
import { resumeErasures } from '#core/kernel/erasure/deferred.js';
import { makeErasure } from '#core/kernel/erasure/request.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { createKeyShares } from '#core/kernel/limits/key-share.js';
import { createKeyRateLimiter, type KeyRateLimiter } from '#core/kernel/limits/key-rate-limit.js';
import { turnsOf } from '#core/kernel/caller/share.js';
import { createLongReads } from '#core/kernel/limits/long-reads.js';
import { createEventCounts, type EventCounts } from '#core/kernel/events/counts.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { provide } from '#core/kernel/provision.js';
import { erasure, keyLimitStatus } from '#core/kernel/ports.js';
import { createRegistry, type Registry } from '#core/kernel/registry/registry.js';
import { createRunner } from '#core/kernel/runner/runner.js';
import { systemRead, systemTransaction } from '#core/kernel/runner/system.js';
import type { WorkerServices, Services } from '#core/kernel/services.js';
import { systemTemplatesOf } from '#core/messaging/system-template.js';
import type { Clock } from '#core/runtime/clock.js';
import { databaseClock } from '#core/runtime/database-clock.js';
import type { CommitWatch } from '#core/runtime/database/commits.js';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { PrimaryReport } from '#core/runtime/database/primary/watch.js';
import { noPrimaryProblem } from '#core/runtime/database/server/start-problem.js';
import { findMigrations, migrate, requireMigratable, withStartLock } from '#core/runtime/database/migrate.js';
import type { Session } from '#core/runtime/database/session.js';
import type { ConnectionWaits } from '#core/runtime/database/pool/share.js';
import type { Replicas } from '#core/runtime/database/replica/replicas.js';
import { createHttpClient } from '#core/runtime/http-client/client.js';
import { countFromZero, type Log } from '#core/runtime/log.js';
import { parseRootKey } from '#core/runtime/secrets/root-key.js';
import { setOwnShard } from '#core/runtime/shard.js';
import { checkDatabase } from './check-database.js';
import { openCommitWatch } from './commits.js';
import { isProduction } from '#core/kernel/registry/startable.js';
import { updateFirstOwner } from './first-owner.js';
import { firstRun, type FirstRun } from './first-run.js';
import { migrationsFolder } from './migrations-folder.js';
import { requireNoOtherVersion } from './nodes.js';
import { openVault, requireRootKey, type OpenedVault } from './open-vault.js';
import { processesOf } from './processes.js';
import { openReadReplicas } from './read-replicas.js';
import { recordSettings, recordShard, requireOwnShard } from './recorded-settings.js';
import { startIdentity, type StartIdentity } from './start-identity.js';
import { withDatabase } from './start-error.js';
import { join } from 'node:path';
import type { SettingValues } from '#config/declare.js';
import { databaseAddress, placeOf } from '#core/runtime/database/address.js';
import { trimEnd } from '#core/runtime/trim-end.js';

/** While the disk is full, every call and every poll of a worker fails. */
const quietMs = 60_000;

/** Logs that the disk of the database is full, and which one, once a minute. */
function diskFullReporter(
  { databaseUrl, stateDir }: Pick<SettingValues<typeof coreSettings>, 'databaseUrl' | 'stateDir'>,
  url: string,
  log: Log,
): (error: unknown) => void {
  const disk =
    databaseUrl === undefined
      ? `the disk of ${join(stateDir, 'database')}`
      : `the disk of the database server at ${placeOf(databaseAddress(url))}`;
  const message = `${disk} is full: calls that change something answer 503 until there is space`;
  countFromZero(log, message);
  let quietUntil = 0;
  return (error) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + quietMs;
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ disk, reason }, message);
  };
}

/** Logs each change of the primary, and why there is none. */
const primaryReporter =
  (log: Pick<Log, 'warn' | 'error'>): ((report: PrimaryReport) => void) =>
  (report) => {
    if (report.kind === 'problem') {
      const { message, fix } = noPrimaryProblem(report.problem);
      log.error({ fix }, message);
      return;
    }
    const { from, to, tookMs } = report;
    const seconds = (tookMs / 1000).toFixed(1);
    log.warn(
      { from, to, tookMs },
      from === to
        ? `the database server ${to} is the primary again after ${seconds} s`
        : `the primary of the database is now ${to} instead of ${from}: the change took ${seconds} s`,
    );
  };

export interface OpenOptions {
  settings: Settings<typeof coreSettings>;
  plugins: readonly Plugin[];
  databaseUrl: string;
  /** SVC_SECRET_KEY, or the key of the state folder */
  secretKey: Buffer;
  log: Log;
  /** For tests, which move the time. Never a setting. */
  clock?: Clock;
  /** For tests: a reply that does not match its schema fails the call. */
  strictReplies?: boolean;
  progress?: (line: string) => void;
  /** A command beside the server: it changes neither the first account's owner nor the settings that a start stores. */
  joining?: boolean;
  /**
   * A process that replaces another one of a node that runs. Its settings are those of the node's start, which has
   * recorded them.
   */
  ofRunningNode?: boolean;
}

/** What a process counts besides its calls. */
export interface Measured {
  readonly events: EventCounts;
  readonly connectionWaits: Readonly<ConnectionWaitCounts>;
  /** undefined without SVC_DATABASE_READ_URL. */
  readonly replicas: Replicas['status'] | undefined;
  /** undefined in a command beside the server. */
  readonly commits: CommitWatch | undefined;
}

interface ConnectionWaitCounts {
  waits: number;
  seconds: number;
  /** The waits that ended without a connection. */
  timeouts: number;
}

/** The services that calls, workers and scripts use. */
export interface Opened {
  services: Services;
  /** The same for workers and jobs, with database connections that calls cannot take. */
  background: Services;
  /** For the readiness check, with its own connection. */
  probe: Pick<Session, 'rows'>;
  registry: Registry;
  /** What this process has counted since its start, for the metrics. */
  measured: Measured;
  /** The keys, if this start opened the first account. */
  firstRun: FirstRun | undefined;
  /** Lines for the start's output about the first account's owner. */
  ownerNotices: readonly string[];
  close(): Promise<void>;
}

function deploymentOf({ core, of }: Settings<typeof coreSettings>, registry: Registry): Deployment {
  const host = core.host.includes(':') ? `[${core.host}]` : core.host;
  const baseUrl = trimEnd(core.baseUrl ?? `http://${host}:${core.port}`, '/');
  return {
    settings: core,
    settingsOf: of,
    baseUrl,
    production: isProduction(core),
    processes: processesOf({ core }),
    products: [...registry.products.keys()],
    events: registry.events,
    systemTemplates: registry.systemTemplates,
    operationNames: registry.operationNames,
  };
}

/**
 * Divides the pool: one connection is the readiness check's, and of the others calls and background work each leave a
 * quarter of the pool to the other side.
 */
function dividePool(
  pool: ConnectedDatabase,
  { poolSize }: Pick<Deployment['processes'], 'poolSize'>,
  role: Settings<typeof coreSettings>['core']['role'],
): Record<'calls' | 'background' | 'probe', ConnectedDatabase> {
  const shared = pool.share(poolSize - 1);
  const kept = role === 'all' ? Math.floor(poolSize / 4) : 0;
  const part = poolSize - 1 - kept;
  return { calls: shared.share(part), background: shared.share(part), probe: pool.share(1) };
}

/**
 * Opens the registry and the database, migrates the database and creates the first account. This is svc without workers
 * and HTTP server.
 * @param wake called with the name of a queue that got work in a commit
 * @throws RegistryError or StartError, whose messages state how to fix it; other errors of the database unchanged
 */
export function openServices(options: OpenOptions, wake: (queue: string) => void): Promise<Opened> {
  return withDatabase(options.databaseUrl, () => open(options, wake));
}

/**
 * Migrates the database and opens its vault, while no other node does. All checks that can refuse the start run before
 * anything is written.
 */
function prepareDatabase(
  database: ConnectedDatabase,
  { products }: Deployment,
  { settings, secretKey, progress }: OpenOptions,
  identity: StartIdentity | undefined,
): Promise<OpenedVault> {
  const { previousSecretKey } = settings.core;
  const previous = previousSecretKey === undefined ? undefined : parseRootKey(previousSecretKey);
  const prepare = async (): Promise<OpenedVault> => {
    const keys = { current: secretKey, previous };
    const migrations = await findMigrations(migrationsFolder, ['core', ...products]);
    await requireMigratable(database, migrations);
    await requireRootKey(database, keys);
    await requireOwnShard(database, settings.core.shard);
    await identity?.require(database);
    await requireNoOtherVersion(database, migrations, { progress });
    const ran = await migrate(database, migrations);
    await recordShard(database, settings.core.shard);
    if (ran > 0) progress?.(`Migrated the database: ${counted(ran, 'statement')}.`);
    return openVault(database, keys);
  };
  return withStartLock(database, prepare, { progress });
}

async function open(options: OpenOptions, wake: (queue: string) => void): Promise<Opened> {
  const { settings, log } = options;
  const late: { keyRateLimiter?: KeyRateLimiter } = {};
  const limitStatus = provide(keyLimitStatus, ({ db }) => ({
    async of(lineage) {
      if (!late.keyRateLimiter) throw new Error('The key rate limiter is not ready yet.');
      return late.keyRateLimiter.status(db, lineage);
    },
  }));
  const holderFinders = () =>
    registry.plugins.flatMap(({ name, findAddressHolder: find }) => (find ? [{ product: name, find }] : []));
  const registry: Registry = createRegistry(options.plugins, settings.core.products, [
    limitStatus,
    provide(erasure, (context) => makeErasure(context, holderFinders())),
  ]);
  const deployment = deploymentOf(settings, registry);
  // Refuses a template of an unknown channel at the start.
  systemTemplatesOf(deployment);
  const connectionWaits: ConnectionWaitCounts = { waits: 0, seconds: 0, timeouts: 0 };
  const eventCounts = createEventCounts(deployment.events);
  const entities = [environments, ...registry.plugins.flatMap((plugin) => plugin.tables)];
  const waits: ConnectionWaits = {
    record(seconds, gotOne) {
      connectionWaits.waits += 1;
      connectionWaits.seconds += seconds;
      if (!gotOne) connectionWaits.timeouts += 1;
    },
  };
  const target = { url: options.databaseUrl, tls: databaseTls(settings.core) };
  const pool = await connectDatabase({
    ...target,
    entities,
    poolSize: deployment.processes.poolSize,
    onPrimary: primaryReporter(log),
    onSilent: () =>
      log.error(
        { fix: 'Check the machine of the database server, its cluster, and the network between it and this process.' },
        'the database server has not answered for some seconds, or cannot commit: the calls and work that waited for it have failed',
      ),
    onDiskFull: diskFullReporter(settings.core, options.databaseUrl, log),
    waits,
  });
  const {
    calls: database,
    background: forBackground,
    probe,
  } = dividePool(pool, deployment.processes, settings.core.role);
  const closes: (() => Promise<void>)[] = [() => pool.close()];
  const close = async (): Promise<void> => {
    for (const each of closes) await each();
  };
  try {
    await checkDatabase(database, deployment, log);
    databaseClock.observe(database.openedAt);
    const clock = options.clock ?? databaseClock;
    const isOwnStart = options.joining !== true && options.ofRunningNode !== true;
    const identity = isOwnStart ? startIdentity(settings, options.plugins) : undefined;
    const { vault, said } = await prepareDatabase(database, deployment, options, identity);
    setOwnShard(settings.core.shard, settings.core.shards.length > 0);
    if (said !== undefined) options.progress?.(said);
    const commits = options.joining === true ? undefined : openCommitWatch(target, pool, log);
    if (commits) closes.unshift(async () => commits.close());
    const replicas =
      options.joining === true
        ? undefined
        : await openReadReplicas({ ...options, deployment, database: forBackground, entities, waits });
    if (replicas) closes.unshift(() => replicas.close());
    const http = createHttpClient({ allow: settings.core.outboundAllow });
    closes.unshift(() => http.close());
    const keyRateLimiter = createKeyRateLimiter(database, clock, log);
    closes.unshift(() => keyRateLimiter.stop());
    late.keyRateLimiter = keyRateLimiter;
    const { environmentRequests } = settings.core;
    const environmentLimiter =
      environmentRequests === undefined
        ? undefined
        : createKeyRateLimiter(database, clock, log, { perMinute: environmentRequests, whose: 'environment' });
    if (environmentLimiter) closes.unshift(() => environmentLimiter.stop());
    const keyShares = createKeyShares(database, clock);
    const countRequest = async (caller: TenantCaller): Promise<void> => {
      const { lineage, environment, publishable, request } = caller;
      // First, so that what one address is refused does not count for all.
      if (publishable) await keyShares.take(lineage, request.ip);
      await keyRateLimiter.take(lineage, turnsOf(environment));
      await environmentLimiter?.take(environment.id, turnsOf(environment));
    };
    const lookup: Authenticator = {};
    const shared = { registry, database, clock, vault, deployment, wake, eventCounts };
    const workerServices: WorkerServices = {
      deployment,
      database,
      clock,
      log,
      vault,
      http,
      wake,
      transaction: systemTransaction(shared),
      read: systemRead(shared),
    };
    const resolveBearer = createBearerResolver(lookup, deployment.products, clock);
    const { call, admit } = createRunner({
      ...shared,
      replicas,
      services: workerServices,
      countRequest,
      lookup,
      resolveBearer,
      longReads: createLongReads('reads', Math.max(2, Math.floor(deployment.processes.poolSize / 4))),
      longWrites: createLongReads('writes', Math.max(2, Math.floor(deployment.processes.poolSize / 8))),
      strictReplies: options.strictReplies === true,
    });
    const identify: Services['identify'] = async (credentials) => {
      const caller = await resolveBearer({ ...credentials, operation: 'MCP' });
      await countRequest(caller);
      return caller;
    };
    const services: Services = { ...workerServices, catalogue: registry, call, admit, identify };
    const ofBackground = { ...shared, database: forBackground };
    const background: Services = {
      ...services,
      database: forBackground,
      transaction: systemTransaction(ofBackground),
      read: systemRead(ofBackground),
    };
    const opened = await withStartLock(database, async () => {
      await identity?.require(database);
      const first = await firstRun(services);
      for (const { setUp } of registry.plugins) await setUp?.(services);
      if (options.joining === true) return { firstRun: first, ownerNotices: [] };
      await resumeErasures(services);
      // After the first account: a first start that fails can be repeated with other settings.
      await identity?.record(database, log);
      if (identity) await recordSettings(database, settings, options.plugins, deployment.baseUrl);
      return { firstRun: first, ownerNotices: await updateFirstOwner(services) };
    });
    for (const plugin of registry.plugins) {
      const made = plugin.authenticators?.(services);
      if (made) Object.assign(lookup, made);
      if (made?.stop) closes.unshift(made.stop);
    }
    const measured = { events: eventCounts, connectionWaits, replicas: replicas?.status, commits };
    return { services, background, probe, registry, measured, ...opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}
