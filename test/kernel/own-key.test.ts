import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ownKey } from '#core/platform/own-key.js';
import { parseRootKey } from '#core/runtime/secrets/root-key.js';
import { rejection } from '#test/support/use-database.js';

describe('The secret key of a private database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-own-key-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const path = (): string => join(folder, 'secret-key');

  it('is created once, for its owner alone', async () => {
    const made = await ownKey(folder);
    expect(parseRootKey(await readFile(path(), 'utf8')).equals(made)).to.equal(true);
    expect((await stat(path())).mode & 0o777).to.equal(0o600);
    expect((await ownKey(folder)).equals(made)).to.equal(true);
    expect(await readdir(folder)).to.deep.equal(['secret-key']);
  });

  it('is not replaced where its file is no key: the start says what to do', async () => {
    for (const content of ['', 'half a key']) {
      await writeFile(path(), content);
      const refused = String(await rejection(ownKey(folder)));
      expect(refused).to.match(/^StartError: The secret key of the private database, .*secret-key, cannot be used/);
      expect(refused).to.contain('restore it from a backup');
      expect(await readFile(path(), 'utf8')).to.equal(content);
    }
  });
});
