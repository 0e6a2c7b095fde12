import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreSettings } from '#core/kernel/settings.js';
import { readSettings } from '#config/read.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { startPlatform } from '#core/platform/platform.js';
import { databaseClock } from '#core/runtime/database-clock.js';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';
import { randomBytes } from 'node:crypto';
import { isRecord } from '../../json.js';
import { fillUsers } from './fill.js';
import { modelUser, rowsRead, sharedReads, type Caller, type Place } from './reads.js';

type Say = (line: string) => unknown;

const fewUsers = 1_000;
const bufferPoolBytes = 2 * 1024 ** 3;

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

/**
 * Counts the rows that sign-ins, sessions and lists read among 1,000 users and among many, each with three sessions, on
 * a private server.
 * Usage: `npm run bench -- many-users [users]`
 * @returns whether each call read as few rows among many users
 */
export async function benchManyUsers(count: number, say: Say): Promise<boolean> {
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
      const place: Place = { services, environment, call: callerAt(address, firstRun.keys.live) };
      const limit = { max: 100, windowSeconds: 60 };
      await place.call('server', 'auth.settings.set', { rateLimits: { startPerIdentifier: limit, startPerIp: limit } });
      const model = await modelUser(place);
      await fillUsers(services.database, model, { from: 0, to: fewUsers });
      const few = await rowsRead(place, 'few', model);
      const began = performance.now();
      await fillUsers(services.database, model, { from: fewUsers, to: count });
      say(
        `${count.toLocaleString('en')} users, ${(3 * count).toLocaleString('en')} sessions, filled in ${((performance.now() - began) / 1000).toFixed(0)} s`,
      );
      const many = await rowsRead(place, 'many', model);
      return compare(few, many, say);
    } finally {
      await platform.stop();
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function compare(few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>, say: Say): boolean {
  const line = (name: string, ...cells: (string | number)[]): unknown =>
    say(name.padEnd(48) + cells.map((cell) => String(cell).padStart(12)).join(''));
  line('rows read per call', 'few users', 'many users');
  let asFew = true;
  for (const [name, count] of few) {
    const among = many.get(name) ?? Number.NaN;
    const isMore = among > count + sharedReads;
    asFew &&= !isMore;
    line(name, count, among, isMore ? 'MORE' : '');
  }
  return asFew;
}
