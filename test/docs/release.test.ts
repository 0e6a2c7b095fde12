import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { isLater, releaseChanges, withVersion } from '#scripts/release-changelog.js';
import { at } from '#test/support/json.js';
import { root } from './shell-blocks.js';

const run = promisify(execFile);
const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- **Email**: is sent.\n';

/** A small repository like that of svc: its checks are `.ci/run`; it generates only the version in package.json. */
async function makeRepository(folder: string): Promise<void> {
  const scripts = { generate: 'node -p "require(\'./package.json\').version" > openapi.json' };
  await mkdir(join(folder, '.ci'));
  await mkdir(join(folder, 'docs'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const files = {
    '.gitignore': 'node_modules\nrelease/\n',
    '.ci/run': 'test ! -e fails && grep -qx 0.2.0 openapi.json\n',
    'CHANGELOG.md': changelog,
    'package.json': `${JSON.stringify({ name: 'svc', version: '0.1.0', scripts }, undefined, 2)}\n`,
    'openapi.json': '0.1.0\n',
    'docs/python.md': 'pip install svc_sdk-0.1.0-py3-none-any.whl, with httpx 0.1.0\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

describe('npm run release', function () {
  this.timeout(120_000);
  const state: { folder?: string } = {};
  const folder = (): string => state.folder ?? '';
  const person = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    npm_config_update_notifier: 'false',
    ...person,
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  };
  const git = async (...words: string[]): Promise<string> =>
    (await run('git', words, { cwd: folder(), env })).stdout.trim();
  const release = async (...words: string[]): Promise<{ code: unknown; stdout: unknown; stderr: unknown }> => {
    const flags = ['--conditions=svc-source', '--import', 'tsx', join(root, 'scripts/release.ts'), ...words];
    const ran: unknown = await run(process.execPath, flags, { cwd: folder(), env }).catch((error: unknown) => error);
    return { code: at(ran, 'code'), stdout: at(ran, 'stdout'), stderr: at(ran, 'stderr') };
  };

  before(async () => {
    state.folder = await mkdtemp(join(tmpdir(), 'svc-release-'));
    await makeRepository(folder());
    await git('init', '--quiet', '--initial-branch', 'main');
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'First');
  });
  after(() => (state.folder === undefined ? undefined : rm(state.folder, { recursive: true, force: true })));

  it('refuses a version that is not later, changes that are not committed, and words that it does not know', async () => {
    expect((await release('0.1.0')).stderr).to.equal('The version must be later than 0.1.0, which package.json has.\n');
    expect((await release('v0.2')).stderr).to.contain('v0.2 is not a version.');
    await writeFile(join(folder(), 'more.txt'), '');
    const refusal = await release('0.2.0');
    expect([refusal.code, refusal.stderr]).to.deep.equal([
      1,
      'Commit these files or put them away first:\n?? more.txt\n',
    ]);
    await rm(join(folder(), 'more.txt'));
    expect((await release('--now')).code).to.equal(2);
  });

  it('shows the notes, and restores everything if a check fails', async () => {
    expect((await release('0.2.0', '--dry-run')).stdout).to.equal('### Added\n\n- **Email**: is sent.\n');
    await writeFile(join(folder(), 'fails'), '');
    await git('add', 'fails');
    await git('commit', '--quiet', '--message', 'Fails');
    const failed = await release('0.2.0');
    expect(failed.code).to.equal(1);
    expect(failed.stdout).to.contain('Nothing was released');
    expect([await git('status', '--porcelain'), await git('tag')]).to.deep.equal(['', '']);
    expect(await readFile(join(folder(), 'CHANGELOG.md'), 'utf8')).to.equal(changelog);
    await git('rm', '--quiet', 'fails');
    await git('commit', '--quiet', '--message', 'Passes');
  });

  it('commits the version everywhere, tags it with the notes, and makes the package', async () => {
    const { stdout, stderr } = await release('0.2.0');
    expect(stdout, String(stderr)).to.contain('Released 0.2.0.');
    expect(await git('log', '-1', '--format=%s')).to.equal('Release 0.2.0');
    expect(await git('rev-parse', 'v0.2.0^{commit}')).to.equal(await git('rev-parse', 'HEAD'));
    expect(await git('tag', '--list', '--format=%(contents)', 'v0.2.0')).to.equal(
      '# svc 0.2.0\n\n### Added\n\n- **Email**: is sent.',
    );
    expect(await git('show', 'HEAD:docs/python.md')).to.equal(
      'pip install svc_sdk-0.2.0-py3-none-any.whl, with httpx 0.1.0',
    );
    expect(await git('show', 'HEAD:openapi.json')).to.equal('0.2.0');
    expect(await git('show', 'HEAD:CHANGELOG.md')).to.match(
      /## Unreleased\n\n## 0\.2\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- \*\*Email\*\*: is sent\.$/,
    );
    expect(await readdir(join(folder(), 'release'))).to.have.members(['notes-0.2.0.md', 'svc-0.2.0.tgz']);
    expect(await git('status', '--porcelain')).to.equal('');
    expect((await release('0.3.0')).stderr).to.contain('says nothing under “Unreleased”');
  });

  it('compares versions by their numbers, and keeps those of other things', () => {
    expect(isLater('0.10.0', '0.9.9')).to.equal(true);
    expect(isLater('1.0.0', '1.0.0')).to.equal(false);
    expect(isLater('1.9.0', '2.0.0')).to.equal(false);
    expect(() => isLater('1.0.0-rc.1', '0.1.0')).to.throw('is not a version');
    expect(withVersion('svc-go-1.0.0.zip, svc-go-1.0.0.1, cheerio 1.0.0, newTag: 1.0.0', '1.0.0', '1.1.0')).to.equal(
      'svc-go-1.1.0.zip, svc-go-1.0.0.1, cheerio 1.0.0, newTag: 1.1.0',
    );
    const twice = releaseChanges('## Unreleased\n\n- New.\n\n## 1.0.0 - 2026-11-29\n\n- Old.\n', '1.1.0', '2026-12-01');
    expect(twice).to.deep.equal({
      changelog: '## Unreleased\n\n## 1.1.0 - 2026-12-01\n\n- New.\n\n## 1.0.0 - 2026-11-29\n\n- Old.\n',
      notes: '- New.\n',
    });
  });
});
