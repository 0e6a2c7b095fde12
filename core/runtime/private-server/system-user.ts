import { execFile } from 'node:child_process';
import { chmod, chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A user of the operating system. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** The users that packages of MariaDB and MySQL create, on Linux and on macOS. */
export const serverUsers: readonly string[] = ['mysql', '_mysql'];

export const isRoot = (): boolean => process.getuid?.() === 0;

async function idsOf(name: string): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

const mayEnter = (user: SystemUser, folder: string): Promise<boolean> =>
  run('test', ['-x', folder], { ...user }).then(
    () => true,
    () => false,
  );

/**
 * The user that runs the server if this process is root: the first of `names` that exists and may enter the folder that
 * contains `stateDir`. The user's group is allowed to enter `stateDir` itself, but not to list it.
 * @returns undefined if this process is not root, or if there is no such user; the server then runs as this process's
 *   user
 */
export async function findSystemUser(names: readonly string[], stateDir: string): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined;
  for (const name of names) {
    const user = await idsOf(name);
    if (!user || user.uid === 0 || !(await mayEnter(user, dirname(stateDir)))) continue;
    if (!(await mayEnter(user, stateDir))) await letEnter(user, stateDir);
    if (await mayEnter(user, stateDir)) return user;
  }
  return undefined;
}

/** Lets the user's group enter a folder that only root can use. */
export async function letEnter({ gid }: SystemUser, folder: string): Promise<void> {
  const { uid, mode } = await stat(folder);
  if (uid !== 0 || (mode & 0o077) !== 0) return;
  await chown(folder, 0, gid);
  await chmod(folder, 0o710);
}

/** Makes the server's user the owner of a folder and of everything in it, if it is not the owner yet. */
export async function giveTo(user: SystemUser | undefined, folder: string): Promise<void> {
  if (!user || (await stat(folder)).uid === user.uid) return;
  // -P: links are not followed.
  await run('chown', ['-R', '-P', `${user.uid}:${user.gid}`, folder]);
}
