import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { isRecord } from '#core/runtime/json.js';

const run = promisify(execFile);
const packageFile = fileURLToPath(new URL('../../package.json', import.meta.url));

/** What `npm` runs in a fresh clone, after `npm ci` and before the first `npx svc`. */
async function prepareScript(): Promise<string> {
  const found: unknown = JSON.parse(await readFile(packageFile, 'utf8'));
  const scripts = isRecord(found) ? found['scripts'] : undefined;
  const prepare = isRecord(scripts) ? scripts['prepare'] : undefined;
  if (typeof prepare !== 'string') throw new Error('package.json has no script prepare.');
  return prepare;
}

describe('the script prepare', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-prepare-'));
    // What builds is installed.
    await mkdir(join(folder, 'node_modules', 'typescript'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Whether it builds. @param npmCommand what npm says that it is doing, such as `ci`; `exec` for npx */
  async function builds(npmCommand: string): Promise<boolean> {
    const npm = join(folder, 'bin', 'npm');
    await mkdir(dirname(npm), { recursive: true });
    await writeFile(npm, '#!/bin/sh\necho "npm $*"\n');
    await chmod(npm, 0o755);
    const env = { PATH: `${dirname(npm)}:${process.env['PATH'] ?? ''}`, npm_command: npmCommand };
    const { stdout } = await run('sh', ['-c', await prepareScript()], { cwd: folder, env });
    return stdout.includes('npm run build');
  }

  it('builds where nothing is built yet, and with each npm ci', async () => {
    expect(await builds('exec')).to.equal(true);
    expect(await builds('ci')).to.equal(true);
  });

  it('does not build again for npx svc, which would remove the programs under a running server', async () => {
    await mkdir(join(folder, 'dist', 'scripts'), { recursive: true });
    await writeFile(join(folder, 'dist', 'scripts', 'svc.js'), '');
    expect(await builds('exec')).to.equal(false);
    expect(await builds('ci')).to.equal(true);
  });
});
