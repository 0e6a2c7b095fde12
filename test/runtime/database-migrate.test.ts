import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  findMigrations,
  migrate,
  requireMigratable,
  UnexpectedSchema,
  StartLockHeld,
  withStartLock,
  type Migration,
} from '#core/runtime/database/migrate.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { driverFacts } from '#core/runtime/database/errors.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { rejection, useDatabase } from '#test/support/use-database.js';
import { onVitess, skipOnVitess } from '#test/support/vitess.js';

const step = (name: string, ...statements: string[]): Migration => ({ owner: 'core', name, statements });
const create = (table: string): string => `CREATE TABLE ${table} (id INT NOT NULL PRIMARY KEY)`;

describe('Migrations', () => {
  const test = useDatabase();
  beforeEach(async () => {
    await test.direct.run('DROP TABLE IF EXISTS svc_migration, one, two, three');
  });
  const tables = async (): Promise<string[]> =>
    (
      await test.direct.rows<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> 'svc_migration' ORDER BY 1",
      )
    ).map(({ name }) => name);
  const recorded = (): Promise<object[]> =>
    test.direct.rows('SELECT owner, name, statement FROM svc_migration ORDER BY applied_at, name, statement');

  it('run each statement once, and later only new ones', async () => {
    const first = step('0001', create('one'), create('two'));
    expect(await migrate(test.direct, [first])).to.equal(2);
    expect(await migrate(test.direct, [first])).to.equal(0);
    expect(await migrate(test.direct, [first, step('0002', create('three'))])).to.equal(1);
    expect(await tables()).to.deep.equal(['one', 'three', 'two']);
  });

  it('continue after a crash at the first unrecorded statement', async () => {
    const whole = [create('one'), create('two'), create('three')];
    const broken = step('0001', whole[0] ?? '', 'CREATE NONSENSE', whole[2] ?? '');
    const error = await rejection(migrate(test.direct, [broken]));
    expect(driverFacts(error).errno).to.equal(onVitess ? 1105 : 1064);
    expect(await tables()).to.deep.equal(['one']);
    expect(await migrate(test.direct, [step('0001', ...whole)])).to.equal(2);
    expect(await recorded()).to.deep.equal([0, 1, 2].map((statement) => ({ owner: 'core', name: '0001', statement })));
  });

  for (const sql of [
    'CREATE TABLE two (id INT NOT NULL PRIMARY KEY)',
    'ALTER TABLE one ADD COLUMN added INT NULL',
    'ALTER TABLE one ADD KEY by_name (name)',
    'ALTER TABLE one DROP COLUMN gone',
    'ALTER TABLE one RENAME COLUMN name TO title',
    'RENAME TABLE one TO three',
  ]) {
    it(`go on after a crash between a statement and its record: ${sql}`, async () => {
      const base = 'CREATE TABLE one (id INT NOT NULL PRIMARY KEY, name VARCHAR(9) NOT NULL, gone INT NULL)';
      await migrate(test.direct, [step('0001', base)]);
      await test.direct.run(sql);
      const whole = step('0001', base, sql, 'CREATE TABLE IF NOT EXISTS two (id INT NOT NULL PRIMARY KEY)');
      expect(await migrate(test.direct, [whole])).to.equal(2);
      expect(await recorded()).to.have.length(3);
    });
  }

  it('fail where a later statement finds an unexpected table or column', async () => {
    await test.direct.run(create('two'));
    const error = await rejection(migrate(test.direct, [step('0001', create('one'), create('two'))]));
    expect(error).to.have.nested.property('driverError.errno', 1050);
  });

  for (const [what, newer] of [
    ['a migration', [step('0001', create('one')), step('0002', create('two'))]],
    ['a statement', [step('0001', create('one'), create('two'))]],
  ] as const) {
    it(`refuse a database in which a newer version ran ${what} that is not known here, and change nothing`, async () => {
      await migrate(test.direct, newer);
      const before = await tables();
      const error = await rejection(requireMigratable(test.direct, [step('0001', create('one'))]));
      expect(error).to.be.instanceOf(UnexpectedSchema);
      expect(error).to.have.property('message').that.contains('newer version').and.contains('restore the backup');
      expect(await tables()).to.deep.equal(before);
    });
  }

  it('leave alone what products that are not enabled now have recorded', async () => {
    await migrate(test.direct, [
      step('0001', create('one')),
      { owner: 'shop', name: '0001', statements: [create('two')] },
    ]);
    const own = [step('0001', create('one'))];
    await requireMigratable(test.direct, own);
    expect(await migrate(test.direct, own)).to.equal(0);
  });

  it('refuse tables without a record of them, as in a backup that was restored only in part, and change nothing', async () => {
    const all = [step('0001', create('one'), create('two')), step('0002', create('three'))];
    await test.direct.run(create('one'));
    await test.direct.run(create('two'));
    const error = await rejection(requireMigratable(test.direct, all));
    expect(error).to.be.instanceOf(UnexpectedSchema);
    expect(error).to.have.property('message').that.contains('2 tables').and.contains('whole backup');
    expect(await tables()).to.deep.equal(['one', 'two']);
  });

  it('refuse a database without a table that svc created there, and name it', async () => {
    const all = [step('0001', create('one'), create('two')), step('0002', 'RENAME TABLE two TO three')];
    await migrate(test.direct, all.slice(0, 1));
    await requireMigratable(test.direct, all);
    // The rename ran, and the crash came before its record.
    await test.direct.run('RENAME TABLE two TO three');
    await requireMigratable(test.direct, all);
    await migrate(test.direct, all);
    await test.direct.run('DROP TABLE one');
    const error = await rejection(requireMigratable(test.direct, all));
    expect(error).to.be.instanceOf(UnexpectedSchema);
    expect(error)
      .to.have.property('message')
      .that.contains('The database has no table one, which svc created there.')
      .and.contains('Restore the whole backup')
      .and.not.contains('two');
  });

  it('run once where two nodes start at the same time', async () => {
    const all = [step('0001', create('one'), create('two')), step('0002', create('three'))];
    const ran = await Promise.all(
      [test.database, test.direct].map((node) => withStartLock(node, () => migrate(node, all))),
    );
    expect(ran.sort()).to.deep.equal([0, 3]);
    expect(await recorded()).to.have.length(3);
  });

  it('hold the start lock until they are finished, and release it when they fail', async () => {
    const gate = createGate();
    gate.close();
    const order: string[] = [];
    const first = withStartLock(test.database, async () => {
      await gate.pass();
      order.push('first');
    });
    await gate.reached(1);
    const second = withStartLock(test.direct, async () => void order.push('second'));
    gate.open();
    await Promise.all([first, second]);
    expect(order).to.deep.equal(['first', 'second']);
    await rejection(withStartLock(test.database, () => Promise.reject(new Error('no'))));
    expect(await withStartLock(test.direct, async () => 'mine')).to.equal('mine');
  });

  it('say that they wait for another node, and give up with the next step', async function () {
    this.timeout(30_000);
    const gate = createGate();
    gate.close();
    const holder = withStartLock(test.database, () => gate.pass());
    await gate.reached(1);
    const given = await rejection(withStartLock(test.direct, async () => 'mine', { longestWaitMs: 1 }));
    expect(given).to.be.instanceOf(StartLockHeld);
    expect(String(given)).to.match(
      /Another node has been starting for .* Stop it if it hangs, then start svc again\.$/s,
    );
    const lines: string[] = [];
    const waiting = withStartLock(test.direct, async () => 'mine', { progress: (line) => lines.push(line) });
    await eventually(() => lines.length === 1, 'a line about the wait', 10_000);
    gate.open();
    await holder;
    expect(await waiting).to.equal('mine');
    expect(lines).to.deep.equal(['Another node is starting or migrates the database. Waiting for it.']);
  });

  it('release the lock when the starting node dies', async () => {
    const gate = createGate();
    gate.close();
    const dying = rejection(withStartLock(test.database, () => gate.pass()));
    await gate.reached(1);
    test.proxy.sever();
    expect(await withStartLock(test.direct, async () => 'mine')).to.equal('mine');
    gate.open();
    await dying;
  });

  it('keep the start lock on a server that ends idle sessions', async function () {
    skipOnVitess(this, 'wait_timeout');
    const node = await connectDatabase({ url: test.url, poolSize: 1 });
    try {
      await node.run('SET SESSION wait_timeout = 1');
      const [lock] = await test.direct.rows<{ name: string; at: Date }>(
        "SELECT CONCAT('svc:start:', LEFT(SHA2(DATABASE(), 256), 32)) AS name, NOW(3) AS at",
      );
      const isOver = async (): Promise<boolean> => {
        const [row] = await test.direct.rows<{ free: number }>(
          'SELECT IS_FREE_LOCK(?) AS free FROM DUAL WHERE NOW(3) < ? + INTERVAL 3 SECOND',
          [lock?.name ?? '', lock?.at ?? null],
        );
        if (!row) return true;
        expect(Object.values(row), 'free before the work was done').to.deep.equal([0]);
        return false;
      };
      const work = (): Promise<void> => eventually(isOver, 'three seconds of work');
      await withStartLock(node, work, { useMs: 200 });
    } finally {
      await node.close();
    }
  });

  describe('in folders', () => {
    const parts = { folder: '' };
    before(async () => {
      parts.folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'));
      for (const [path, text] of [
        ['core/0002_b.js', 'export const up = ["B1"];'],
        ['core/0001_a.js', 'export const up = ["A1", "A2"];'],
        ['core/0001_a.js.map', '{}'],
        ['core/0001_a.d.ts', ''],
        ['shop/0001_c.js', 'export const up = ["C1"];'],
        ['bad/0001_d.js', 'export const down = [];'],
      ] as const) {
        await mkdir(join(parts.folder, path, '..'), { recursive: true });
        await writeFile(join(parts.folder, path), text);
      }
    });
    after(() => rm(parts.folder, { recursive: true }));

    it('are found by owner, core first, in the order of their names', async () => {
      const found = await findMigrations(parts.folder, ['core', 'shop', 'nothing-there']);
      expect(found.map(({ owner, name }) => `${owner}/${name}`)).to.deep.equal([
        'core/0001_a',
        'core/0002_b',
        'shop/0001_c',
      ]);
      expect(found.flatMap(({ statements }) => statements)).to.deep.equal(['A1', 'A2', 'B1', 'C1']);
    });

    it('name the file that exports no list of statements', async () => {
      const error = await rejection(findMigrations(parts.folder, ['bad']));
      expect(error).to.have.property('message', 'migrations/bad/0001_d.js exports no "up": readonly string[].');
    });
  });
});
