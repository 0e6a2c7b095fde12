import { expect } from 'chai';
import { createConnection, type Connection } from 'mysql2/promise';
import { within } from '#core/runtime/database/within.js';
import { eventually } from '#test/support/eventually.js';
import type { RawAnswer } from '#test/support/api.js';
import { codeOf, partOf } from '#test/kernel/support/lab.js';
import { usePlatform } from '#test/support/platform.js';
import { onVitess } from '#test/support/vitess.js';

/** How a server comes to answer questions and to commit nothing. */
const causes: readonly { name: string; begin: readonly string[]; end: string }[] = [
  { name: 'is locked for a backup', begin: ['FLUSH TABLES WITH READ LOCK'], end: 'UNLOCK TABLES' },
  {
    // Every COMMIT waits, with its locks, as for disk space of the binary log or for a semi-synchronous replica.
    name: 'does not finish a COMMIT',
    begin: ['BACKUP STAGE START', 'BACKUP STAGE FLUSH', 'BACKUP STAGE BLOCK_DDL', 'BACKUP STAGE BLOCK_COMMIT'],
    end: 'BACKUP STAGE END',
  },
];

/** How long a call that changes something may take while nothing is committed (docs/operating.md, Database). */
const promisedMs = 12_000;

describe('A database server that answers and commits nothing', function () {
  this.timeout(60_000);
  before(function () {
    if (onVitess) this.skip();
  });
  const platform = usePlatform();
  const parts: { admin?: Connection } = {};
  beforeEach(async () => {
    parts.admin = await createConnection({ uri: platform.databaseUrl });
  });
  afterEach(() => parts.admin?.end());
  const get = (path: string): Promise<RawAnswer> => platform.api.raw(path, undefined, { method: 'GET' });
  const age = async (): Promise<number> =>
    Number(/^svc_database_commit_age_seconds (\S+)$/m.exec((await get('/metrics')).text)?.[1]);

  for (const { name, begin, end } of causes)
    it(`refuses changes, answers reads, and continues by itself, if it ${name}`, async function () {
      const { flavour } = platform.running.services.database;
      if (flavour === 'mysql' && end === 'BACKUP STAGE END') this.skip();
      const { svc } = await platform.account();
      const create = (key: string): Promise<RawAnswer> =>
        svc.raw('/developers/key/create', `{"name":"${key}","kind":"publishable"}`, { idempotencyKey: key });
      const names = async (): Promise<string> => (await svc.raw('/developers/key/list', '{}')).text;
      expect(await age()).to.be.below(8);
      for (const sql of begin) await parts.admin?.query(sql);
      // As many as there are connections: without a refusal they would hold all of them.
      const waiting = Array.from({ length: 20 }, (_, index) => create(`waiting-${index}`));
      for (const answer of await within(promisedMs, Promise.all(waiting)))
        expect([answer.status, codeOf(answer)]).to.deep.equal([503, 'unavailable']);
      await eventually(async () => (await get('/readyz')).status === 503, '/readyz to refuse');
      const late = await within(promisedMs, create('late'));
      expect([late.status, codeOf(late)]).to.deep.equal([503, 'unavailable']);
      expect(partOf(late.text, 'error')['message']).to.contain('commits nothing');
      for (let index = 0; index < 30; index += 1)
        expect((await svc.raw('/developers/key/list', '{}')).status, `read ${index}`).to.equal(200);
      expect(await age()).to.be.above(8);
      const logged = platform.logLines.filter((line) => line.includes('"the database server commits nothing'));
      expect(logged).to.have.length(1);
      platform.logLines.length = 0;

      await parts.admin?.query(end);
      await eventually(async () => (await create('after')).status === 200, 'a change');
      await eventually(async () => (await get('/readyz')).status === 200, '/readyz');
      expect(platform.logLines.filter((line) => line.includes('commits again after'))).to.have.length(1);
      // The same call again is carried out once, whether its first commit came through or not.
      expect((await create('waiting-0')).status).to.equal(200);
      expect((await names()).split('"waiting-0"')).to.have.length(2);
    });
});
