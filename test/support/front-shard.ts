import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newRootKey } from '#core/runtime/secrets/root-key.js';
import { startNode } from '#test/faults/support/node.js';
import { createTestDatabase } from './database.js';
import { freePort } from './free-port.js';

/*
 * With SVC_TEST_SHARD=2, every test's platform is shard 2 and is called through a node of shard 1, which has a database
 * of its own and passes the calls on.
 */

/** The shard that platforms of tests are; undefined if there is only one. */
const testShard = process.env['SVC_TEST_SHARD'];

interface Front {
  /** Where the node of shard 1 listens. */
  readonly address: string;
  /** The settings of the platform behind it. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Nodes that no test uses now. */
const free: Front[] = [];

/** A node of shard 1 for one platform. @returns undefined without SVC_TEST_SHARD */
export async function takeFront(): Promise<Front | undefined> {
  if (testShard === undefined) return undefined;
  return free.pop() ?? open(testShard);
}

/** Lets another platform use the node. */
export function returnFront(front: Front | undefined): void {
  if (front) free.push(front);
}

async function open(shard: string): Promise<Front> {
  const [port, ownPort] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${port}`;
  const shared = {
    SVC_SHARDS: `1=${address},${shard}=http://127.0.0.1:${ownPort}`,
    SVC_NEW_ACCOUNTS_SHARD: shard,
    SVC_TRUST_PROXY: '127.0.0.1',
    SVC_BASE_URL: address,
  };
  const database = await createTestDatabase();
  await startNode({
    ...shared,
    SVC_DATABASE_URL: database.url,
    SVC_SECRET_KEY: newRootKey(),
    SVC_STATE_DIR: await mkdtemp(join(tmpdir(), 'svc-front-')),
    SVC_PORT: String(port),
    SVC_ROLE: 'api',
  });
  return { address, settings: { ...shared, SVC_SHARD: shard, SVC_PORT: String(ownPort) } };
}
