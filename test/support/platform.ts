import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreSettings } from '#core/kernel/settings.js';
import { readSettings } from '#config/read.js';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { accountOpener, keyIssuer, type FirstKeys } from '#core/kernel/ports.js';
import { startPlatform, type Platform, type PlatformOptions } from '#core/platform/platform.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { createLog } from '#core/runtime/log.js';
import { newRootKey, parseRootKey } from '#core/runtime/secrets/root-key.js';
import { returnFront, takeFront } from './front-shard.js';
import { apiAt, type Api } from './api.js';
import { testClock, type TestClock } from './clock.js';
import { createTestDatabase } from './database.js';
import { takeMigratedDatabase } from './migrated-database.js';
import { chosenProducts, needProducts } from './products.js';
import { onVitess } from './vitess.js';

export interface TestOptions {
  /** SVC_* variables. The function is called before the platform starts, so that receivers may be started first. */
  settings?: () => Record<string, string> | Promise<Record<string, string>>;
  /** Additional plugins, for features that no product uses. */
  plugins?: readonly Plugin[];
  /** `empty`: without tables, which the start creates. The default is a migrated database without data. */
  database?: 'empty';
  /** Replaces the database's URL, for example with a proxy's. */
  databaseUrl?: (url: string) => string | Promise<string>;
  /** Options of the platform that differ from the defaults of tests. */
  boot?: Partial<Pick<PlatformOptions, 'strictReplies' | 'arrivalMs' | 'withoutJobs'>>;
}

/** Another node of the same deployment: its own connection pool, caches and workers on the same database. */
export interface TestNode {
  readonly running: Platform;
  /** Calls this node with a key. */
  as(key: string): Api;
  /** Stops this node. The platform stops all of its nodes at its end. */
  stop(): Promise<void>;
}

/** An account for one test. */
export interface TestAccount {
  accountId: string;
  projectId: string;
  memberId: string;
  ownerEmail: string;
  live: Environment;
  test: Environment;
  keys: { live: FirstKeys; test: FirstKeys };
  /** Calls with the account's live or test secret key. */
  svc: Api;
  svcTest: Api;
}

export interface StoredEvent {
  type: string;
  subjectId: string;
  activityId: string | null;
  data: Record<string, unknown>;
}

export interface TestPlatform {
  readonly running: Platform;
  readonly clock: TestClock;
  readonly databaseUrl: string;
  /** The SVC_SECRET_KEY of the deployment, for scripts in separate processes. */
  readonly secretKey: string;
  /** Calls without a key. */
  readonly api: Api;
  readonly logLines: string[];
  account(options?: { proven?: boolean }): Promise<TestAccount>;
  /** The events of an environment, oldest first. */
  events(environment: Environment): Promise<StoredEvent[]>;
  count(table: string, where?: string): Promise<number>;
  /** Waits until no worker has due work. */
  settled(): Promise<void>;
  /**
   * Restarts the platform on the same database, like a deployment of a new version. @param changes SVC_* variables that
   * differ now
   * @param meanwhile runs while it is stopped
   */
  restart(changes?: Readonly<Record<string, string>>, meanwhile?: () => Promise<void>): Promise<void>;
  /** Starts another node, which stops with the platform. @param changes SVC_* variables that differ there */
  secondNode(changes?: Readonly<Record<string, string>>): Promise<TestNode>;
}

/** Creating a database on Vitess takes half a minute, and longer on a busy machine. */
const startTimeoutMs = onVitess ? 300_000 : 60_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Starts as an operator does who means the changed settings: again, with the code that the refusal printed. */
async function acceptingChanges<T>(start: (accepted: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  try {
    return await start({});
  } catch (error) {
    const [, code] = /SVC_ACCEPT_CHANGES=([0-9a-f]{12})/.exec(error instanceof Error ? error.message : '') ?? [];
    if (code === undefined) throw error;
    return start({ SVC_ACCEPT_CHANGES: code });
  }
}

/**
 * A running svc for the tests of one file, with a real database, real HTTP and a fake clock. Call it inside `describe`.
 */
export function usePlatform(options: TestOptions = {}): TestPlatform {
  const parts: {
    platform?: Platform;
    start?: (changes?: Readonly<Record<string, string>>, options?: { second?: boolean }) => Promise<Platform>;
    url?: string;
    stop?: () => Promise<void>;
  } = {};
  const clock = testClock();
  const secretKey = newRootKey();
  const logLines: string[] = [];
  const stops: (() => Promise<void>)[] = [];

  const running = (): Platform => {
    if (!parts.platform) throw new Error('The platform is not running yet: use it inside it() or a hook.');
    return parts.platform;
  };

  needProducts();
  before(async function () {
    this.timeout(startTimeoutMs);
    const stateDir = await mkdtemp(join(tmpdir(), 'svc-state-'));
    const front = await takeFront();
    const known = [...(await findPlugins()), ...(options.plugins ?? [])];
    const given = {
      SVC_PORT: '0',
      // This process is the only one, also with a public SVC_BASE_URL.
      SVC_PROCESSES: '1',
      SVC_STATE_DIR: stateDir,
      SVC_SECRET_KEY: secretKey,
      SVC_OUTBOUND_ALLOW: '127.0.0.0/8',
      // No test queries the machine's name servers; useDns starts one (dns.ts).
      SVC_DNS_SERVERS: '127.0.0.1:1',
      ...front?.settings,
      ...chosenProducts(options.plugins?.map(({ name }) => name)),
      ...(await options.settings?.()),
    };
    const declared = known.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []));
    const { products: chosen } = readSettings(coreSettings, declared, given).core;
    const log = process.env['SVC_TEST_LOG']
      ? createLog('debug')
      : createLog('debug', { write: (line) => void logLines.push(line) });
    const { products } = createRegistry(known, chosen);
    const database =
      options.database === 'empty'
        ? await createTestDatabase()
        : await takeMigratedDatabase(['core', ...products.keys()]);
    parts.url = database.url;
    const databaseUrl = (await options.databaseUrl?.(database.url)) ?? database.url;
    const boot = { strictReplies: true, withoutJobs: true, ...options.boot };
    let lastChanges: Readonly<Record<string, string>> = {};
    parts.start = async (changes, { second = false } = {}) => {
      lastChanges = changes ?? lastChanges;
      // Behind a front, the port is fixed, and the first node has it.
      const port = front && second ? { SVC_PORT: '0' } : {};
      const changed = { ...given, ...lastChanges, ...port };
      const platform = await acceptingChanges((accepted) => {
        const settings = readSettings(coreSettings, declared, { ...changed, ...accepted });
        const key = parseRootKey(settings.core.secretKey ?? secretKey);
        return startPlatform({ settings, plugins: known, databaseUrl, secretKey: key, log, clock, ...boot });
      });
      return front && !second ? { ...platform, address: front.address } : platform;
    };
    parts.stop = async () => {
      await Promise.all(stops.map((stop) => stop()));
      await parts.platform?.stop();
      await database.drop();
      await rm(stateDir, { recursive: true, force: true });
      returnFront(front);
    };
    parts.platform = await parts.start();
  });
  after(async function () {
    this.timeout(startTimeoutMs);
    await parts.stop?.();
  });

  const apiWith = (key: string): Api =>
    apiAt(
      () => running().address,
      () => key,
      () => running().registry,
    );

  return {
    get running() {
      return running();
    },
    get databaseUrl() {
      return parts.url ?? '';
    },
    secretKey,
    clock,
    logLines,
    api: apiWith(''),
    async account({ proven = true } = {}) {
      const { services } = running();
      const ownerEmail = `owner-${randomBytes(4).toString('hex')}@example.com`;
      const opened = await services.transaction('Test', async ({ use, actIn, audit }) => {
        const account = await use(accountOpener).open({
          name: 'Acme',
          email: ownerEmail,
          projectName: `Shop ${randomBytes(4).toString('hex')}`,
          proven,
          operator: false,
        });
        const holder = {
          permissions: permissionsOf(services.deployment.products),
          role: 'owner' as const,
          memberId: null,
        };
        const live = await use(keyIssuer).issueFirst({ ...holder, environment: account.live });
        const test = await use(keyIssuer).issueFirst({ ...holder, environment: account.test });
        actIn(account.test);
        audit({ operation: 'account.signup', summary: 'Opened for a test.' });
        return { ...account, keys: { live, test } };
      });
      return {
        ...opened,
        ownerEmail,
        svc: apiWith(opened.keys.live.secret),
        svcTest: apiWith(opened.keys.test.secret),
      };
    },
    async events(environment) {
      const rows = await running().services.database.rows<{
        type: Buffer;
        subject_id: Buffer;
        activity_id: Buffer | null;
        data: string;
      }>('SELECT type, subject_id, activity_id, data FROM svc_event WHERE environment_id = ? ORDER BY id', [
        idBytes(environment.id),
      ]);
      return rows.map((row) => {
        const data: unknown = JSON.parse(row.data);
        return {
          type: row.type.toString(),
          subjectId: row.subject_id.toString(),
          activityId: row.activity_id && idText(row.activity_id),
          data: isRecord(data) ? data : {},
        };
      });
    },
    async count(table, where = '1 = 1') {
      const [row] = await running().services.database.rows<{ found: number }>(
        `SELECT COUNT(*) AS found FROM ${table} WHERE ${where}`,
      );
      return row?.found ?? 0;
    },
    async settled() {
      // One worker may create work for another: events are sequenced, consumed and delivered, and a failed delivery
      // sends a mail.
      for (let round = 0; round < 5; round += 1) await Promise.all(running().workers.map((worker) => worker.idle()));
    },
    async restart(changes, meanwhile) {
      await running().stop();
      await meanwhile?.();
      if (parts.start) parts.platform = await parts.start(changes);
    },
    async secondNode(changes) {
      if (!parts.start) throw new Error('The platform is not running yet: use it inside it() or a hook.');
      const node = await parts.start(changes, { second: true });
      let stopped: Promise<void> | undefined;
      const stop = (): Promise<void> => (stopped ??= node.stop());
      stops.push(stop);
      return {
        running: node,
        stop,
        as: (key) =>
          apiAt(
            () => node.address,
            () => key,
            () => node.registry,
          ),
      };
    },
  };
}
