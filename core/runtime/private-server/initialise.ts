import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Layout } from './layout.js';
import type { Programs } from './programs.js';

const run = promisify(execFile);
const draftPrefix = 'data-draft-';

/** A server refuses to run as root unless told so. */
export const asRoot = (): string[] => (process.getuid?.() === 0 ? ['--user=root'] : []);

function command({ maker, server, installer }: Programs, folder: string): [string, string[]] {
  if (maker === 'mysql' || installer === undefined) {
    return [server, ['--no-defaults', '--initialize-insecure', `--datadir=${folder}`, ...asRoot()]];
  }
  // "socket": the only account with rights is bound to the operating system's user; none is open on TCP.
  const accounts = ['--auth-root-authentication-method=socket', '--skip-test-db', '--skip-name-resolve'];
  return [installer, ['--no-defaults', `--datadir=${folder}`, ...accounts, ...asRoot()]];
}

/**
 * Prepares the data folder, the first time only. It is made under another name and renamed when whole, so a process
 * killed in the middle leaves nothing half made.
 * @throws with the program's own words when it fails
 */
export async function initialise(layout: Layout, programs: Programs): Promise<void> {
  const drafts = (await readdir(layout.root)).filter((name) => name.startsWith(draftPrefix));
  for (const name of drafts) await rm(join(layout.root, name), { recursive: true, force: true, maxRetries: 5 });
  const ready = await access(layout.data).then(
    () => true,
    () => false,
  );
  if (ready) return;
  const draft = await mkdtemp(join(layout.root, draftPrefix));
  const [program, args] = command(programs, draft);
  try {
    await run(program, args, { maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`${program} could not prepare ${layout.data}`, { cause: error });
  }
  await rename(draft, layout.data);
}
