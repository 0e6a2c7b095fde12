import { expect } from 'chai';
import { isDiskFull, lossOf } from '#core/runtime/database/errors.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import { rejection } from '#test/support/use-database.js';
import { usePlatform } from '#test/support/platform.js';
import { needPlainServer } from '#test/support/vitess.js';
import { createThings, lab, newKey, partOf } from './support/lab.js';

const adding = defineOperation({
  name: 'lab.thing.add',
  summary: 'Add a thing.',
  access: 'secret',
  input: object({ name: text() }),
  output: object({ name: text() }),
  example: { input: { name: 'a' }, output: { name: 'a' } },
  async handle({ name }, { db }) {
    await db.run('INSERT INTO lab_thing (name) VALUES (?)', [name]);
    return { name };
  },
});

describe('A database whose disk is full', () => {
  needPlainServer('triggers');
  const platform = usePlatform({ plugins: [lab(adding)] });
  /** What MariaDB and MySQL answer then, by whichever part of them finds the disk full. */
  const answers: readonly [errno: number, message: string][] = [
    [1114, "The table 'lab_thing' is full"],
    [1021, 'Disk full (/var/lib/mysql/ibtmp1); waiting for someone to free some space...'],
    [1030, 'Got error 28 "No space left on device" from storage engine InnoDB'],
    [1026, 'Error writing file \'/tmp/MYfd=33\' (errno: 28 "No space left on device")'],
    [3, "Error writing file '/tmp/MYfd=33' (OS errno 28 - No space left on device)"],
  ];
  const run = (sql: string) => platform.running.services.database.run(sql);
  const fill = ([errno, message]: readonly [number, string]) =>
    run(
      `CREATE TRIGGER full BEFORE INSERT ON lab_thing FOR EACH ROW SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = '${message.replaceAll("'", "''")}'`,
    );
  const named = (): number => platform.logLines.filter((line) => line.includes('is full: calls that change')).length;

  before(() => createThings(platform));
  afterEach(() => run('DROP TRIGGER IF EXISTS full'));

  for (const answer of answers)
    it(`answers 503 and keeps nothing of the call, for error ${answer[0]}`, async () => {
      const { svc } = await platform.account();
      const idempotencyKey = newKey();
      const call = () => svc.raw('/lab/thing/add', JSON.stringify({ name: 'a' }), { idempotencyKey });
      await fill(answer);
      const refused = await call();
      expect(refused.status).to.equal(503);
      expect(partOf(refused.text, 'error'))
        .to.include({ code: 'unavailable' })
        .and.have.property('message')
        .that.contains('the disk of its database is full');
      await run('DROP TRIGGER full');
      expect((await call()).status).to.equal(200);
    });

  it('is named in the log, with its disk, once a minute and not for each call', () => {
    expect(named()).to.equal(1);
    const line = platform.logLines.find((each) => each.includes('is full: calls that change')) ?? '';
    expect(line).to.contain(`${platform.running.services.deployment.settings.stateDir}/database`);
    expect(platform.logLines.join('')).to.not.contain('a request failed');
  });

  it('is not what other errors of files and tables mean', async () => {
    for (const [errno, message] of [
      [1030, 'Got error 122 "Internal (unspecified) error in handler" from storage engine InnoDB'],
      [1062, "Duplicate entry 'errno: 28' for key 'name'"],
    ] as const) {
      await fill([errno, message]);
      const error = await rejection(run("INSERT INTO lab_thing (name) VALUES ('a')"));
      await run('DROP TRIGGER full');
      expect([isDiskFull(error), lossOf(error)]).to.deep.equal([false, 'its database cannot be reached']);
    }
  });
});
