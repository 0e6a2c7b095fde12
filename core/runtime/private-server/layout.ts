import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where everything of one private server stands. */
export interface Layout {
  /** `<stateDir>/database`, readable by its owner alone. */
  root: string;
  data: string;
  /** Its temporary files: a starting server clears what it takes for left-overs in /tmp, another server's among them. */
  temporary: string;
  socket: string;
  pidFile: string;
  log: string;
  credentials: string;
  initFile: string;
  lock: string;
}

/** Unix socket paths end at 103 bytes on macOS and at 107 on Linux. */
const longestSocketPath = 100;

/**
 * A folder for the socket where the state folder's own path is too long. Its name is known to every user of the
 * machine, so one that somebody else made first is refused.
 */
async function shortFolder(root: string): Promise<string> {
  const folder = join(tmpdir(), `svc-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  const found = await lstat(folder);
  const mine = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  if (!mine) throw new Error(`${folder} should be a folder that only this user can open; remove it and start again.`);
  return folder;
}

/**
 * Makes the folder of a private server and names its files.
 * @param stateDir the deployment's state folder, made when absent
 * @throws when the folder cannot be made
 */
export async function layOut(stateDir: string): Promise<Layout> {
  const wanted = resolve(stateDir, 'database');
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  // One spelling of the path, so that a left-over server is recognised by its --datadir.
  const root = await realpath(wanted);
  await chmod(root, 0o700);
  const temporary = join(root, 'tmp');
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const beside = join(root, 'server.sock');
  const socket = Buffer.byteLength(beside) <= longestSocketPath ? beside : join(await shortFolder(root), 'server.sock');
  return {
    root,
    data: join(root, 'data'),
    temporary,
    socket,
    pidFile: join(root, 'server.pid'),
    log: join(root, 'server.log'),
    credentials: join(root, 'credentials.json'),
    initFile: join(root, 'accounts.sql'),
    lock: join(root, 'owner.json'),
  };
}

/** Removes the socket of a server that is gone. MySQL would take its lock file for a living server's. */
export async function forgetSocket({ socket, root }: Layout): Promise<void> {
  await rm(socket, { force: true });
  await rm(`${socket}.lock`, { force: true });
  if (!socket.startsWith(root)) await shortFolder(root);
}
