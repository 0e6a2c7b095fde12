import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Layout } from './layout.js';
import type { Programs } from './programs.js';
import { giveTo, isRoot } from './system-user.js';

const run = promisify(execFile);
const draftPrefix = 'data-draft-';

/** A server refuses to run as root without this flag. */
export const asRoot = ({ systemUser }: Layout): string[] => (isRoot() && !systemUser ? ['--user=root'] : []);

/**
 * MariaDB’s installer is a shell script that splits paths at spaces, so it gets the draft's path as seen from the
 * folder that it runs in. Its temporary folder, which the environment names, is the draft itself: a starting server
 * deletes temporary tables of other servers that share it.
 */
function command({ maker, server, installer }: Programs, layout: Layout, folder: string): [string, string[]] {
  if (maker === 'mysql' || installer === undefined) {
    const files = `--secure-file-priv=${layout.files}`;
    return [server, ['--no-defaults', '--initialize-insecure', `--datadir=${folder}`, files, ...asRoot(layout)]];
  }
  // "socket": the only user with privileges is bound to the operating system's user, and none can connect over TCP.
  const userOptions = ['--auth-root-authentication-method=socket', '--skip-test-db', '--skip-name-resolve'];
  return [installer, ['--no-defaults', `--datadir=./${basename(folder)}`, ...userOptions, ...asRoot(layout)]];
}

/**
 * Creates the data folder if it does not exist. It is created under another name and renamed when complete, so a killed
 * process leaves no incomplete folder.
 * @throws Error with the program's error as its cause
 */
export async function initialiseData(layout: Layout, programs: Programs): Promise<void> {
  const drafts = (await readdir(layout.root)).filter((name) => name.startsWith(draftPrefix));
  for (const name of drafts) await rm(join(layout.root, name), { recursive: true, force: true, maxRetries: 5 });
  const ready = await access(layout.data).then(
    () => true,
    () => false,
  );
  if (ready) {
    await giveTo(layout.systemUser, layout.data);
    return;
  }
  const draft = await mkdtemp(join(layout.root, draftPrefix));
  await giveTo(layout.systemUser, draft);
  const [program, args] = command(programs, layout, draft);
  try {
    const env = { ...process.env, TMPDIR: draft };
    await run(program, args, { maxBuffer: 16 * 1024 * 1024, cwd: layout.root, env, ...layout.systemUser });
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`${program} could not prepare ${layout.data}. It says:\n${lastLines(error)}`, { cause: error });
  }
  await rename(draft, layout.data);
}

/** The end of a program's output, or the reason why it did not run. */
function lastLines(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const printed = ['stdout', 'stderr'].map((name): unknown => Reflect.get(error, name)).join('\n');
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 ? lines.slice(-8).join('\n') : error.message;
}
