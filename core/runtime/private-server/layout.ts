import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../make-folder.js';
import { findSystemUser, giveTo, letEnter, type SystemUser } from './system-user.js';

/** The paths of a private server's files. */
export interface Layout {
  /** `<stateDir>/database`, readable only by its owner; the server's user may enter it. */
  root: string;
  /** The user that the server runs as; undefined if it is this process's user. */
  systemUser: SystemUser | undefined;
  data: string;
  /** Not /tmp: a starting server deletes temporary files there, including those of other servers. */
  temporary: string;
  /** The only folder in which statements may read and write files. */
  files: string;
  socket: string;
  pidFile: string;
  log: string;
  credentials: string;
  initFile: string;
  lock: string;
}

/** Unix socket paths are limited to 103 bytes on macOS and 107 on Linux. */
const maxSocketPath = 100;

/**
 * Creates a folder for the socket if the state folder's path is too long. Every user of the machine can predict its
 * name, so a folder that another user created is refused.
 */
async function createShortFolder(root: string, user: SystemUser | undefined): Promise<string> {
  const folder = join(tmpdir(), `svc-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  const found = await lstat(folder);
  const owners = [process.getuid?.(), user?.uid];
  const mine = found.isDirectory() && owners.includes(found.uid) && (found.mode & 0o077) === 0;
  if (!mine) throw new Error(`${folder} must be a folder that only this user can access. Remove it and start again.`);
  await giveTo(user, folder);
  return folder;
}

/**
 * Creates the folder of a private server.
 * @param stateDir the deployment's state folder, created if it does not exist
 * @param users the users that the server may run as if this process is root, in order of preference
 * @returns the paths of its files
 */
export async function createLayout(stateDir: string, users: readonly string[]): Promise<Layout> {
  const wanted = resolve(stateDir, 'database');
  await makeFolder(wanted);
  // The canonical path, so that a server that is still running is recognised by its --datadir.
  const root = await realpath(wanted);
  // The mode set by letEnter is kept: a server may be running there, and a second process, which is refused later, must
  // not lock it out.
  if (((await lstat(root)).mode & 0o067) !== 0) await chmod(root, 0o700);
  const systemUser = await findSystemUser(users, dirname(root));
  if (systemUser) await letEnter(systemUser, root);
  const [temporary, files, run] = [join(root, 'tmp'), join(root, 'files'), join(root, 'run')];
  for (const folder of [temporary, files, run]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await giveTo(systemUser, folder);
  }
  const beside = join(run, 'server.sock');
  const socket =
    Buffer.byteLength(beside) <= maxSocketPath
      ? beside
      : join(await createShortFolder(root, systemUser), 'server.sock');
  return {
    root,
    systemUser,
    data: join(root, 'data'),
    temporary,
    files,
    socket,
    pidFile: join(run, 'server.pid'),
    log: join(root, 'server.log'),
    credentials: join(root, 'credentials.json'),
    initFile: join(root, 'accounts.sql'),
    lock: join(root, 'owner.json'),
  };
}

/**
 * Removes the socket of a server that has ended, and its lock file, which makes MySQL believe that the server is
 * running.
 */
export async function removeSocket({ socket, root, systemUser }: Layout): Promise<void> {
  await rm(socket, { force: true });
  await rm(`${socket}.lock`, { force: true });
  if (!socket.startsWith(root)) await createShortFolder(root, systemUser);
}
