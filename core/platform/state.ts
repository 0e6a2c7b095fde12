import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { coreSettings } from '#config/core.js';
import { SettingsError, type Settings } from '#config/read.js';
import { ensureDatabase } from '#core/runtime/database/create.js';
import type { Log } from '#core/runtime/log.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';
import { newRootKey, parseRootKey } from '#core/runtime/secrets/root-key.js';

/** Where truth and secrets are kept: a given database with a given key, or a private server with a key of its own. */
export interface State {
  databaseUrl: string;
  rootKey: Buffer;
  /** For the start's words. */
  words: string;
  stop(): Promise<void>;
}

/**
 * Finds or gets the database and the key of secrets at rest.
 * @param options.joining use the private server of a svc that runs on the same state folder, where one does (scripts beside it)
 * @throws SettingsError when SVC_DATABASE_URL is set and SVC_SECRET_KEY is not; the private server's error with the ways to get one
 */
export async function openState(
  { core }: Settings<typeof coreSettings>,
  log: Log,
  progress: (line: string) => void,
  { joining = false } = {},
): Promise<State> {
  if (core.databaseUrl !== undefined) {
    if (core.secretKey === undefined) {
      throw new SettingsError([
        'SVC_SECRET_KEY is required with SVC_DATABASE_URL: secrets at rest must open on every node. Make one with "openssl rand -base64 32" and keep it safe.',
      ]);
    }
    const { host, pathname } = new URL(core.databaseUrl);
    await ensureDatabase(core.databaseUrl);
    return {
      databaseUrl: core.databaseUrl,
      rootKey: parseRootKey(core.secretKey),
      words: `${host}${pathname} (SVC_DATABASE_URL)`,
      stop: async () => undefined,
    };
  }
  await mkdir(core.stateDir, { recursive: true, mode: 0o700 });
  const words = `a private server in ${join(core.stateDir, 'database')}`;
  const key = async (): Promise<Buffer> =>
    core.secretKey === undefined ? ownKey(core.stateDir) : parseRootKey(core.secretKey);
  const running = join(core.stateDir, 'database', 'running-at');
  const joined = joining ? await readFile(running, 'utf8').catch(() => undefined) : undefined;
  if (joined !== undefined && (await answers(joined)))
    return { databaseUrl: joined, rootKey: await key(), words, stop: async () => undefined };
  const server = await startPrivateServer({ stateDir: core.stateDir, log, progress });
  try {
    const databaseUrl = server.databaseUrl('svc');
    await ensureDatabase(databaseUrl);
    await writeFile(running, databaseUrl, { mode: 0o600 });
    const stop = async (): Promise<void> => {
      await rm(running, { force: true });
      await server.stop();
    };
    return { databaseUrl, rootKey: await key(), words, stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The key beside the private database, made once. Two starts cannot race: the private server has one owner. */
async function ownKey(stateDir: string): Promise<Buffer> {
  const path = join(stateDir, 'secret-key');
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined) return parseRootKey(kept.trim());
  const made = newRootKey();
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(`${made}\n`);
  await file.sync();
  await file.close();
  return parseRootKey(made);
}

const answers = (databaseUrl: string): Promise<boolean> =>
  ensureDatabase(databaseUrl).then(
    () => true,
    () => false,
  );
