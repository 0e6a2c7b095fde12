import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { newRootKey } from '#core/runtime/secrets/root-key.js';
import { startNode } from '#test/faults/support/node.js';
import { at } from '#test/support/json.js';
import { createTestDatabase } from '#test/support/database.js';

describe('A first start in a state folder with the keys of another database', function () {
  this.timeout(90_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-first-run-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('keeps them under another name', async () => {
    await writeFile(join(folder, 'first-run.json'), 'the only copy');
    const database = await createTestDatabase();
    try {
      const node = await startNode({
        SVC_PORT: '0',
        SVC_STATE_DIR: folder,
        SVC_DATABASE_URL: database.url,
        SVC_SECRET_KEY: newRootKey(),
        SVC_LOG_LEVEL: 'silent',
      });
      await node.stop();
      const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
      const kept = `first-run.json.before-${String(at(facts, 'accountId'))}`;
      expect(await readdir(folder)).to.include(kept);
      expect(await readFile(join(folder, kept), 'utf8')).to.equal('the only copy');
    } finally {
      await database.drop();
    }
  });
});
