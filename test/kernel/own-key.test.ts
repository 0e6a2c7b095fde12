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
  const notNeeded = (): Promise<boolean> => Promise.resolve(false);
  const path = (): string => join(folder, 'secret-key');

  it('is created once, for its owner alone', async () => {
    const made = await ownKey(folder, notNeeded);
    expect(parseRootKey(await readFile(path(), 'utf8')).equals(made)).to.equal(true);
    expect((await stat(path())).mode & 0o777).to.equal(0o600);
    expect((await ownKey(folder, notNeeded)).equals(made)).to.equal(true);
    expect(await readdir(folder)).to.deep.equal(['secret-key']);
  });

  it('is not replaced if its file does not contain a key: the start says what to do', async () => {
    for (const content of ['', 'half a key']) {
      await writeFile(path(), content);
      const refused = String(await rejection(ownKey(folder, notNeeded)));
      expect(refused).to.match(/^StartError: The secret key of the private database, .*secret-key, cannot be used/);
      expect(refused).to.contain('restore it from a backup');
      expect(await readFile(path(), 'utf8')).to.equal(content);
    }
  });

  it('is not created beside a database that another one opens: the start says which file to restore', async () => {
    const refused = String(await rejection(ownKey(folder, () => Promise.resolve(true))));
    expect(refused).to.contain(`The secret key of the private database, ${path()}, is missing`);
    expect(refused).to.contain('Restore the file from a backup').and.contain('SVC_SECRET_KEY');
    expect(await readdir(folder)).to.deep.equal([]);
  });
});
