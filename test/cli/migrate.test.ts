import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { newRootKey } from '#core/runtime/secrets/root-key.js';
import { createTestDatabase } from '#test/support/database.js';
import { at } from '#test/support/json.js';
import { chosenProducts } from '#test/support/products.js';
import { runScript } from '#test/support/run-script.js';

describe('npm run migrate', function () {
  this.timeout(60_000);

  it('migrates an empty database and opens the first account, once, and refuses another key', async () => {
    const database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'svc-migrate-'));
    const run = (settings: Readonly<Record<string, string>> = {}) =>
      runScript('scripts/migrate.ts', [], {
        SVC_DATABASE_URL: database.url,
        SVC_SECRET_KEY: key,
        SVC_STATE_DIR: folder,
        ...chosenProducts(),
        ...settings,
      });
    const key = newRootKey();
    try {
      const first = await run();
      expect(first.code, first.printed).to.equal(0);
      expect(first.printed)
        .to.match(/Migrated the database: \d+ statements\./)
        .and.contain('belongs to this version');
      const keys: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
      expect(at(keys, 'keys', 'live', 'secret')).to.match(/^svc_live_/);

      const again = await run();
      expect(again.code, again.printed).to.equal(0);
      expect(again.printed).to.not.contain('Migrated');
      const connected = await connectDatabase({ url: database.url, poolSize: 1 });
      const [accounts] = await connected.rows<{ count: number }>('SELECT COUNT(*) AS count FROM account');
      await connected.close();
      expect(accounts?.count).to.equal(1);

      const refused = await run({ SVC_SECRET_KEY: newRootKey() });
      expect(refused.code).to.equal(1);
      expect(refused.printed)
        .to.contain('SVC_SECRET_KEY is not the key of this database')
        .and.not.match(/^ +at /m);
    } finally {
      await rm(folder, { recursive: true });
      await database.drop();
    }
  });
});
