import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { takeMigratedDatabase } from '#test/support/migrated-database.js';
import { chosenProducts, enabledProducts } from '#test/support/products.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { proxyBefore, type TcpProxy } from '#test/support/tcp-proxy.js';
import { call, readAnswer, textAt } from './call.js';
import { startNode, type NodeProcess } from './node.js';
import { startReceiver, type Receiver } from './receiver.js';

/** An endpoint that the test created. */
export interface Endpoint {
  id: string;
  path: string;
  eventTypes: readonly string[];
  secret: string;
}

/** One deployment under faults: its database, its receivers, and the nodes that a test starts. */
export interface Stage {
  /** A connection to the database that does not go through the proxy. */
  readonly db: ConnectedDatabase;
  readonly proxy: TcpProxy;
  readonly webhooks: Receiver;
  readonly mail: SmtpReceiver;
  readonly endpoints: readonly Endpoint[];
  /** Audit records of calls made by the test itself, not by the workload. */
  readonly ownActivities: readonly string[];
  /**
   * @param options.throughProxy its database is behind the proxy
   * @param options.settings additional SVC_* variables
   */
  start(options?: {
    fault?: string;
    throughProxy?: boolean;
    settings?: Readonly<Record<string, string>>;
  }): Promise<NodeProcess>;
  /** Calls with the first key of the test environment. @throws Error if it is not answered */
  ask(node: NodeProcess, operation: string, input: unknown): Promise<Record<string, unknown>>;
  /** The same with the first key of the live environment. */
  askLive(node: NodeProcess, operation: string, input: unknown): Promise<Record<string, unknown>>;
  /** The first secret key of the live environment. */
  liveKey(): Promise<string>;
  /** The same with the first publishable key of the live environment. */
  askPublishable(node: NodeProcess, operation: string, input: unknown): Promise<Record<string, unknown>>;
  subscribe(node: NodeProcess, url: string, eventTypes?: readonly string[]): Promise<Endpoint>;
  /** Creates a key for each of `count` clients, so that none reaches the limit of 600 calls a minute. */
  clients(node: NodeProcess, count: number): Promise<string[]>;
  /** Registers something to close with the stage, such as a provider that the test has started. */
  onClose(close: () => Promise<unknown>): void;
  close(): Promise<void>;
}

/** Where a key is in first-run.json. */
type KeyPath = readonly ['live' | 'test', 'secret' | 'publishable'];

export async function openStage(): Promise<Stage> {
  const products = enabledProducts((await findPlugins()).map(({ name }) => name));
  const database = await takeMigratedDatabase(['core', ...products]);
  const folder = await mkdtemp(join(tmpdir(), 'svc-fault-'));
  const { proxy, url: behindProxy } = await proxyBefore(database.url);
  const webhooks = await startReceiver();
  const mail = await startSmtpReceiver();
  const db = await connectDatabase({ url: database.url, poolSize: 1 });
  const endpoints: Endpoint[] = [];
  const ownActivities: string[] = [];
  const nodes: NodeProcess[] = [];
  const closes: (() => Promise<unknown>)[] = [];
  const settings = {
    SVC_PORT: '0',
    SVC_STATE_DIR: folder,
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_SMTP_URL: mail.url,
    SVC_OUTBOUND_ALLOW: '127.0.0.0/8',
    SVC_LOG_LEVEL: 'warn',
    ...chosenProducts(),
  };
  const firstKey = async (path: KeyPath): Promise<string> => {
    const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
    return textAt(facts, 'keys', ...path);
  };
  const askWith = async (
    key: KeyPath,
    node: NodeProcess,
    operation: string,
    input: unknown,
  ): Promise<Record<string, unknown>> => {
    const outcome = await call(node.address, await firstKey(key), { operation, input });
    if (outcome.kind === 'open') throw new Error(`${operation} was not answered: ${outcome.why}`);
    const { activityId, result } = readAnswer(outcome.text);
    if (activityId !== '') ownActivities.push(activityId);
    return result;
  };
  const ask: Stage['ask'] = (...asked) => askWith(['test', 'secret'], ...asked);
  return {
    db,
    proxy,
    webhooks,
    mail,
    endpoints,
    ownActivities,
    ask,
    askLive: (...asked) => askWith(['live', 'secret'], ...asked),
    liveKey: () => firstKey(['live', 'secret']),
    askPublishable: (...asked) => askWith(['live', 'publishable'], ...asked),
    async start({ fault, throughProxy = false, settings: further = {} } = {}) {
      const node = await startNode({
        ...settings,
        SVC_DATABASE_URL: throughProxy ? behindProxy : database.url,
        ...(fault === undefined ? {} : { SVC_FAULT: fault }),
        ...further,
      });
      nodes.push(node);
      return node;
    },
    async subscribe(node, url, eventTypes = []) {
      const result = await ask(node, 'developers.webhook.create', { url, eventTypes });
      const id = textAt(result, 'endpoint', 'endpointId');
      const endpoint = { id, path: new URL(url).pathname, eventTypes, secret: textAt(result, 'secret') };
      endpoints.push(endpoint);
      return endpoint;
    },
    async clients(node, count) {
      const permissions = ['developers:write', 'email:read', 'email:write'];
      const names = Array.from({ length: count }, (_, index) => `Client ${index}`);
      return Promise.all(
        names.map(async (name) => textAt(await ask(node, 'developers.key.create', { name, permissions }), 'plaintext')),
      );
    },
    onClose: (close) => void closes.push(close),
    async close() {
      await Promise.all(nodes.map((node) => node.kill()));
      for (const close of closes.toReversed()) await close();
      await Promise.all([webhooks.close(), mail.close(), proxy.close(), db.close()]);
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
