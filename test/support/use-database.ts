import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { createTestDatabase } from './database.js';
import { proxyBefore, type TcpProxy } from './tcp-proxy.js';

export interface TestDatabase {
  /** Through the proxy. */
  readonly database: ConnectedDatabase;
  /** Without the proxy, for the test's own statements. */
  readonly direct: ConnectedDatabase;
  readonly proxy: TcpProxy;
  readonly url: string;
}

/** A database for one test file, behind a proxy that can break its connections. Call it inside `describe`. */
export function useDatabase(options: { poolSize?: number } = {}): TestDatabase {
  const parts: { made?: TestDatabase; end?: () => Promise<void> } = {};
  const made = (): TestDatabase => {
    if (!parts.made) throw new Error('The database does not exist yet: use it inside it() or a hook.');
    return parts.made;
  };
  before(async () => {
    const { url, drop } = await createTestDatabase();
    const { proxy, url: proxied } = await proxyBefore(url);
    const database = await connectDatabase({ url: proxied, ...options });
    const direct = await connectDatabase({ url, poolSize: 4 });
    parts.made = { database, direct, proxy, url };
    parts.end = async () => {
      await database.close();
      await direct.close();
      await proxy.close();
      await drop();
    };
  });
  afterEach(() => {
    made().proxy.onSent(() => undefined);
    made().proxy.restore();
  });
  after(() => parts.end?.());
  return {
    get database() {
      return made().database;
    },
    get direct() {
      return made().direct;
    },
    get proxy() {
      return made().proxy;
    },
    get url() {
      return made().url;
    },
  };
}

/** The error that a promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}
