import { expect } from 'chai';
import { databaseProblems } from '#core/runtime/database/server/check.js';
import {
  isConflict,
  isConnectionLost,
  isDuplicate,
  isLockRefused,
  serverMessage,
} from '#core/runtime/database/errors.js';
import { rejection, useDatabase } from '#test/support/use-database.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('Errors of the database', () => {
  const test = useDatabase();
  before(() =>
    test.direct.run(
      'CREATE TABLE person (id INT NOT NULL, email VARBINARY(50) NOT NULL, phone VARBINARY(50) NOT NULL, PRIMARY KEY (id), UNIQUE KEY email (email), UNIQUE KEY email_phone (email, phone)) ENGINE=InnoDB',
    ),
  );
  beforeEach(() => test.direct.run("REPLACE INTO person VALUES (1, 'ada', '1')"));
  const failing = (sql: string): Promise<unknown> => rejection(test.database.run(sql));

  it('a duplicate names exactly its index', async () => {
    const byEmail = await failing("INSERT INTO person VALUES (2, 'ada', '2')");
    expect([isDuplicate(byEmail), isDuplicate(byEmail, 'email'), isDuplicate(byEmail, 'email_phone')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    const byId = await failing("INSERT INTO person VALUES (1, 'bob', '2')");
    expect([isDuplicate(byId, 'PRIMARY'), isDuplicate(byId, 'email')]).to.deep.equal([true, false]);
    const named = await failing("INSERT INTO person VALUES (1, 'email', '2')");
    expect(isDuplicate(named, 'email')).to.equal(false);
  });

  it('a value is never mistaken for an index', async () => {
    await test.direct.run("REPLACE INTO person VALUES (3, 'phone', '1')");
    const duplicate = await failing("INSERT INTO person VALUES (4, 'phone', '2')");
    expect([isDuplicate(duplicate, 'phone'), isDuplicate(duplicate, 'email')]).to.deep.equal([false, true]);
  });

  it('a faulty statement is neither a conflict nor a lost connection nor a duplicate', async () => {
    for (const sql of ['SELECT nonsense', 'INSERT INTO person VALUES (NULL, 1, 1)', 'SELECT * FROM nowhere']) {
      const error = await failing(sql);
      expect([isConflict(error), isConnectionLost(error), isDuplicate(error), isLockRefused(error)]).to.deep.equal([
        false,
        false,
        false,
        false,
      ]);
    }
    expect([isConflict(undefined), isConnectionLost('x'), isDuplicate(null)]).to.deep.equal([false, false, false]);
  });

  it('a killed connection is a lost connection, whatever its message', async function () {
    skipOnVitess(this, 'KILL');
    const { session, release } = await test.database.acquire();
    const [row] = await session.rows<{ id: number }>('SELECT CONNECTION_ID() AS id');
    const killed = rejection(session.rows('SELECT SLEEP(20)'));
    await test.direct.run(`KILL CONNECTION ${row?.id ?? 0}`);
    expect(isConnectionLost(await killed)).to.equal(true);
    expect(isConnectionLost(await rejection(session.rows('SELECT 1')))).to.equal(true);
    await release();
  });

  it('a server that cannot be reached is a lost connection', async () => {
    test.proxy.sever();
    expect(isConnectionLost(await failing('SELECT 1'))).to.equal(true);
  });

  it('a conflict inside a replication group is a conflict, and a node that is not ready is a lost connection', async function () {
    skipOnVitess(this, 'SIGNAL outside a procedure');
    const signalled = async (errno: number): Promise<boolean[]> => {
      const error = await failing(`SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}`);
      return [isConflict(error), isConnectionLost(error)];
    };
    expect(await signalled(3101)).to.deep.equal([true, false]);
    expect(await signalled(1180)).to.deep.equal([true, false]);
    expect(await signalled(1047)).to.deep.equal([false, true]);
  });

  it('a server that could lose acknowledged writes is reported with a fix', async function () {
    skipOnVitess(this, 'SET GLOBAL');
    const [server] = await test.direct.rows<{ flush: number }>(
      'SELECT @@global.innodb_flush_log_at_trx_commit AS flush',
    );
    try {
      await test.direct.run('SET GLOBAL innodb_flush_log_at_trx_commit = 2');
      const [problem] = await databaseProblems(test.direct);
      expect(problem?.message).to.contain('innodb_flush_log_at_trx_commit is 2');
      expect(problem?.fix).to.contain('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
      await test.direct.run('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
      expect(await databaseProblems(test.direct)).to.deep.equal([]);
    } finally {
      await test.direct.run(`SET GLOBAL innodb_flush_log_at_trx_commit = ${server?.flush ?? 1}`);
    }
  });

  describe('of Vitess 24, as vtgate sends them', () => {
    const prefix = 'target: svc.0.primary: vttablet: rpc error: code =';
    const statement = String.raw`: Sql: "insert into person(id, email) values (:vtg1 /* INT64 */, :vtg2 /* VARCHAR */)", BindVars: {vtg1: "type:INT64 value:\"2\""vtg2: "type:VARCHAR value:\"ada\""}`;
    const received = (errno: number, message: string): Error =>
      Object.assign(new Error(serverMessage(message)), { errno });

    it('a duplicate names its index, and no value of the statement is kept', () => {
      const error = received(
        1062,
        `${prefix} AlreadyExists desc = Duplicate entry 'ada' for key 'person.email' (errno 1062) (sqlstate 23000) (CallerID: userData1)${statement}`,
      );
      expect(error.message).to.equal("Duplicate entry 'ada' for key 'person.email'");
      expect([isDuplicate(error, 'email'), isDuplicate(error, 'PRIMARY')]).to.deep.equal([true, false]);
    });

    it('a value is never mistaken for the end of the message', () => {
      const value = `x' for key 'person.PRIMARY' (errno 1062) (sqlstate 23000): Sql: "`;
      const error = received(
        1062,
        `${prefix} AlreadyExists desc = Duplicate entry '${value}' for key 'person.email' (errno 1062) (sqlstate 23000)${statement}`,
      );
      expect([isDuplicate(error, 'email'), isDuplicate(error, 'PRIMARY')]).to.deep.equal([true, false]);
    });

    it('a keyspace without a tablet that accepts changes is a lost connection, and other faults are not', () => {
      const lost = [
        `target: svc.0.primary: no healthy tablet available for 'keyspace:"svc" shard:"0" tablet_type:PRIMARY'`,
        `VT15001: transaction error, issue ROLLBACK and retry the transaction: ${prefix} Code(17) desc = operation not allowed in state NOT_SERVING`,
        'VT09032: previous transaction failed. Issue a ROLLBACK to resolve the failure.',
        `${prefix} Unavailable desc = connection refused`,
      ];
      for (const message of lost) expect(isConnectionLost(received(1105, message)), message).to.equal(true);
      const other = ["syntax error at position 16 near 'now'", 'VT12001: unsupported: no healthy tablet available'];
      for (const message of other) expect(isConnectionLost(received(1105, message)), message).to.equal(false);
    });

    it('a MySQL that vttablet cannot reach is a lost connection', () => {
      const message = 'net.Dial(/vt/mysql.sock) to local server failed: connect: connection refused';
      expect(isConnectionLost(received(2002, message))).to.equal(true);
    });

    it('a statement that changes more rows than allowed is not run again', () => {
      const message = `${prefix} Aborted desc = caller id: app: row count exceeded 10000 (CallerID: app)`;
      expect(isConnectionLost(received(1317, message))).to.equal(false);
    });

    it('a transaction that exceeded its time, and one that found no free connection, may run again', () => {
      expect(
        isConnectionLost(
          received(
            1317,
            `${prefix} Aborted desc = transaction 7: ended at 2026-11-27 05:33:03 UTC (exceeded timeout: 30s)`,
          ),
        ),
      ).to.equal(true);
      expect(
        isConnectionLost(
          received(
            1203,
            `${prefix} ResourceExhausted desc = transaction pool connection limit exceeded (CallerID: app)`,
          ),
        ),
      ).to.equal(true);
    });
  });
});
