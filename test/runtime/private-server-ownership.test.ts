import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ownKey } from '#core/platform/own-key.js';
import { takeOwnership } from '#core/runtime/private-server/ownership.js';
import { rejection } from '#test/support/use-database.js';
import { useNoHardLinks } from '#test/support/without-hard-links.js';

describe('A state folder on a file system without hard links', () => {
  useNoHardLinks();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-ownership-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has one owner, and another once it is released', async () => {
    const lock = join(folder, 'owner.json');
    const release = await takeOwnership(lock);
    expect(String(await rejection(takeOwnership(lock)))).to.contain(`Another svc process (pid ${process.pid})`);
    await release();
    expect(await readdir(folder)).to.deep.equal([]);
    const releaseAgain = await takeOwnership(lock);
    await releaseAgain();
  });

  it('is taken over from a process that was killed', async () => {
    const lock = join(folder, 'owner.json');
    await mkdir(lock);
    await writeFile(join(lock, 'owner'), `${process.pid} another start\n`);
    const release = await takeOwnership(lock);
    expect(await readdir(folder)).to.deep.equal(['owner.json']);
    await release();
  });

  it('keeps the secret key that the first start created', async () => {
    const made = await ownKey(folder, () => Promise.resolve(false));
    expect((await ownKey(folder, () => Promise.resolve(false))).equals(made)).to.equal(true);
    expect(await readdir(folder)).to.deep.equal(['secret-key']);
  });
});
