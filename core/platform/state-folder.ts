import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Why the state folder cannot be written, for a start that does not need it yet: with its own database, svc writes
 * there only the keys of a first account, and would refuse the start that opens one. Nothing is created.
 * @returns a warning that names the folder and the next step; undefined if the folder can be written or created
 */
export async function stateFolderWarning(stateDir: string): Promise<string | undefined> {
  try {
    await requireWritable(resolve(stateDir));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The state folder ${stateDir} cannot be written (${reason}), so svc could not keep the keys of a first account there. Make it writable for this user, or set SVC_STATE_DIR to another folder.`;
  }
}

/** @throws Error of the file system, if the path is not a writable folder and cannot become one */
async function requireWritable(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && dirname(path) !== path)
      return undefined;
    throw error;
  });
  if (!found) return requireWritable(dirname(path));
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
}
