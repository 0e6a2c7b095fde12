import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Layout } from './layout.js';
import type { Programs } from './programs.js';
import { giveTo, isRoot } from './system-user.js';

const run = promisify(execFile);
const draftPrefix = 'data-draft-';

/** A server refuses to run as root without this flag. */
export const asRoot = ({ systemUser }: Layout): string[] => (isRoot() && !systemUser ? ['--user=root'] : []);

/** MariaDB’s temporary folder is the draft itself: a starting server deletes temporary tables of other servers that share its folder. */
function command({ maker, server, installer }: Programs, layout: Layout, folder: string): [string, string[]] {
  if (maker === 'mysql' || installer === undefined) {
    const files = `--secure-file-priv=${layout.files}`;
    return [server, ['--no-defaults', '--initialize-insecure', `--datadir=${folder}`, files, ...asRoot(layout)]];
  }
  // "socket": the only user with privileges is bound to the operating system's user, and none can connect over TCP.
  const userOptions = ['--auth-root-authentication-method=socket', '--skip-test-db', '--skip-name-resolve'];
  return [installer, ['--no-defaults', `--datadir=${folder}`, `--tmpdir=${folder}`, ...userOptions, ...asRoot(layout)]];
}

/**
 * Creates the data folder where it does not exist. It is created under another name and renamed when complete, so a killed process
 * leaves no incomplete folder.
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
    await run(program, args, { maxBuffer: 16 * 1024 * 1024, cwd: layout.root, ...layout.systemUser });
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`${program} could not prepare ${layout.data}`, { cause: error });
  }
  await rename(draft, layout.data);
}
