import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreSettings } from '#core/kernel/settings.js';
import { readSettings } from '#config/read.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { openServices } from '#core/platform/open.js';
import { silentLog } from '#core/runtime/log.js';
import { createTestDatabase } from '#test/support/database.js';
import { startNode, type NodeProcess } from './node.js';

/** A deployment whose test requests work in the test's process, and starts nodes that do the work and die. */
export interface BackgroundWork {
  readonly services: WorkerServices;
  /** The live environment of the first account. */
  readonly environment: Environment;
  /** Starts a node. The work becomes due only once it is up. @param fault the crash point where it dies */
  start(fault?: string): Promise<NodeProcess>;
  /** How many rows a table has. */
  rowsOf(table: string): Promise<number>;
  close(): Promise<void>;
}

/** @param queue the table of the work queue */
export async function openBackgroundWork(queue: string): Promise<BackgroundWork> {
  const { url, drop } = await createTestDatabase();
  const stateDir = await mkdtemp(join(tmpdir(), 'svc-work-'));
  const secretKey = randomBytes(32);
  const given = {
    SVC_PORT: '0',
    SVC_STATE_DIR: stateDir,
    SVC_DATABASE_URL: url,
    SVC_SECRET_KEY: secretKey.toString('base64'),
    SVC_LOG_LEVEL: 'warn',
  };
  const plugins = await findPlugins();
  const groups = plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []));
  const settings = readSettings(coreSettings, groups, given);
  const { services, firstRun, close } = await openServices(
    { settings, plugins, databaseUrl: url, secretKey, log: silentLog },
    () => undefined,
  );
  const [environment] = await liveEnvironments(services.database, firstRun?.accountId ?? '');
  if (!environment) throw new Error('The first start did not open an account.');
  const nodes: NodeProcess[] = [];
  // Leases of a dead node are released immediately instead of after half a minute.
  const setDue = (when: string): Promise<unknown> =>
    services.database.run(
      `UPDATE ${queue} SET leased = 0, lease_token = NULL, lease_until = NULL, due_at = NOW(3) ${when}`,
    );
  return {
    services,
    environment,
    async start(fault) {
      await setDue('+ INTERVAL 1 HOUR');
      const node = await startNode({ ...given, ...(fault === undefined ? {} : { SVC_FAULT: fault }) });
      nodes.push(node);
      await setDue('- INTERVAL 1 SECOND');
      return node;
    },
    rowsOf: async (table) => (await services.database.rows(`SELECT 1 FROM ${table}`)).length,
    async close() {
      await Promise.all(nodes.map((node) => node.kill()));
      await close();
      await rm(stateDir, { recursive: true, force: true });
      await drop();
    },
  };
}
