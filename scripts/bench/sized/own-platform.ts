import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '#config/read.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import type { Services } from '#core/kernel/services.js';
import { coreSettings } from '#core/kernel/settings.js';
import { startPlatform } from '#core/platform/platform.js';
import { databaseClock } from '#core/runtime/database-clock.js';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';
import { isRecord } from '../json.js';

const bufferPoolBytes = 2 * 1024 ** 3;

/** Calls an operation with the environment's publishable or secret key. @returns its reply */
export type Caller = (as: 'app' | 'server', operation: string, input: object) => Promise<unknown>;

export interface Place {
  services: Services;
  environment: Environment;
  call: Caller;
}

/** Calls the server at an address with these keys. */
const callerAt =
  (address: string, keys: { publishable: string; secret: string }): Caller =>
  async (as, operation, input) => {
    const answer = await fetch(`${address}/${operation.replaceAll('.', '/')}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${as === 'app' ? keys.publishable : keys.secret}`,
      },
      body: JSON.stringify(input),
    });
    const body: unknown = await answer.json();
    if (!answer.ok || !isRecord(body))
      throw new Error(`${operation} answered ${answer.status}: ${JSON.stringify(body)}`);
    return body['result'];
  };

/** Runs `work` with a platform without workers, on a private database server that is removed afterwards. */
export async function onOwnPlatform<T>(say: (line: string) => unknown, work: (place: Place) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const log = silentLog;
  const server = await startPrivateServer({ stateDir: folder, log, progress: say, durable: false, bufferPoolBytes });
  try {
    const plugins = await findPlugins();
    const given = { SVC_PORT: '0', SVC_STATE_DIR: folder, SVC_ROLE: 'api' };
    const settings = readSettings(
      coreSettings,
      plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : [])),
      given,
    );
    const databaseUrl = server.databaseUrl();
    await ensureDatabase({ url: databaseUrl });
    const boot = { databaseUrl, secretKey: randomBytes(32), clock: databaseClock, strictReplies: false };
    const platform = await startPlatform({ settings, plugins, log, withoutJobs: true, ...boot });
    try {
      const { firstRun, services, address } = platform;
      const environment = firstRun && (await findEnvironment(services.database, firstRun.environments.live));
      if (!environment) throw new Error('The first start opened no account.');
      return await work({ services, environment, call: callerAt(address, firstRun.keys.live) });
    } finally {
      await platform.stop();
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
