import { access, constants, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { coreSettings } from '#core/kernel/settings.js';
import { databaseTls } from '#core/kernel/database-tls.js';
import { SettingsError, type Settings } from '#config/read.js';
import { databaseAddress, placeOf } from '#core/runtime/database/address.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import type { Log } from '#core/runtime/log.js';
import { makeFolder } from '#core/runtime/make-folder.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';
import { parseRootKey } from '#core/runtime/secrets/root-key.js';
import { replaceFile } from '#core/runtime/write-file.js';
import { hasRootKey } from './open-vault.js';
import { ownKey } from './own-key.js';
import { StartError, withDatabase } from './start-error.js';
import { processesOf } from './processes.js';

/** The database and the key for secrets at rest: the configured ones, or a private server with its own key. */
export interface State {
  databaseUrl: string;
  secretKey: Buffer;
  /** The location of the database, for the start's summary. */
  description: string;
  stop(): Promise<void>;
}

/**
 * Opens the configured database, or starts a private server.
 * @param options.joining use the private server of a running svc with the same state folder, if there is one (for
 *   scripts beside it); then no new deployment is created
 * @throws SettingsError if SVC_DATABASE_URL is set without SVC_SECRET_KEY, or its TLS settings contradict each other;
 *   StartError if the database cannot be used, the private server cannot start, or no deployment exists to join, with
 *   the next step
 */
export async function openState(
  { core }: Settings<typeof coreSettings>,
  log: Log,
  progress: (line: string) => void,
  { joining = false } = {},
): Promise<State> {
  const tls = databaseTls(core);
  if (core.databaseUrl !== undefined) {
    if (core.secretKey === undefined) {
      throw new SettingsError([
        'SVC_SECRET_KEY is required with SVC_DATABASE_URL: every node must be able to read encrypted values. Create one with "openssl rand -base64 32" and keep it safe.',
      ]);
    }
    const address = databaseAddress(core.databaseUrl);
    const target = { url: core.databaseUrl, tls };
    await withDatabase(target.url, () => ensureDatabase(target));
    return {
      databaseUrl: core.databaseUrl,
      secretKey: parseRootKey(core.secretKey),
      description: `${address.database} at ${placeOf(address)} (SVC_DATABASE_URL)`,
      stop: async () => undefined,
    };
  }
  if (joining && !(await hasPrivateServer(core.stateDir)))
    throw new StartError(
      `There is no deployment in ${core.stateDir}: svc has never been started there. Set SVC_STATE_DIR or SVC_DATABASE_URL to the server’s value, or start svc there first.`,
    );
  await makeFolder(core.stateDir)
    .then(() => access(core.stateDir, constants.R_OK | constants.W_OK | constants.X_OK))
    .catch((error: unknown) => {
      throw unusable(core.stateDir, error);
    });
  const description = `a private server in ${join(core.stateDir, 'database')}`;
  const key = async (url: string): Promise<Buffer> =>
    core.secretKey === undefined ? ownKey(core.stateDir, () => isKeyNeeded(url)) : parseRootKey(core.secretKey);
  const running = join(core.stateDir, 'database', 'running-at');
  const joined = joining ? await readFile(running, 'utf8').catch(() => undefined) : undefined;
  if (joined !== undefined && (await answers(joined)))
    return { databaseUrl: joined, secretKey: await key(joined), description, stop: async () => undefined };
  const { count, poolSize } = processesOf({ core });
  const flags = [`--max-connections=${Math.max(500, count * poolSize + spareConnections)}`];
  const server = await startPrivateServer({ stateDir: core.stateDir, log, progress, flags }).catch((error: unknown) => {
    if (isOfFiles(error)) throw unusable(core.stateDir, error);
    throw new StartError(error instanceof Error ? error.message : String(error), { cause: error });
  });
  try {
    const databaseUrl = server.databaseUrl();
    await ensureDatabase({ url: databaseUrl });
    // Before a script can join: only the owner of the folder creates the key.
    const secretKey = await key(databaseUrl);
    await replaceFile(running, databaseUrl);
    const stop = async (): Promise<void> => {
      await rm(running, { force: true });
      await server.stop();
    };
    return { databaseUrl, secretKey, description, stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Connections of the private server for commands beside the svc that runs. */
const spareConnections = 50;

/** Whether the file system refused: no permission, no space, or a conflicting entry. */
const isOfFiles = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST'].some((code) => code === error.code);

/** @param error the file system's error */
const unusable = (stateDir: string, error: unknown): StartError =>
  new StartError(
    `The state folder ${stateDir} cannot be used (${error instanceof Error ? error.message : String(error)}): make it and what is in it writable for this user, or set SVC_STATE_DIR to another folder.`,
    { cause: error },
  );

/** Whether the state folder has a private server. */
export const hasPrivateServer = (stateDir: string): Promise<boolean> =>
  access(join(stateDir, 'database')).then(
    () => true,
    () => false,
  );

const answers = (databaseUrl: string): Promise<boolean> =>
  ensureDatabase({ url: databaseUrl }).then(
    () => true,
    () => false,
  );

/** Whether the private database was opened with a key before. */
async function isKeyNeeded(url: string): Promise<boolean> {
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    return await hasRootKey(database);
  } finally {
    await database.close();
  }
}
