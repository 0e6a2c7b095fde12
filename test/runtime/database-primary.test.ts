import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { isConnectionLost } from '#core/runtime/database/errors.js';
import { findPrimary, NoPrimary } from '#core/runtime/database/primary/find.js';
import type { PrimaryReport } from '#core/runtime/database/primary/watch.js';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import { startProblem } from '#core/runtime/database/server/start-problem.js';
import { databaseAddress } from '#core/runtime/database/address.js';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer, type PrivateServer } from '#core/runtime/private-server/index.js';
import { eventually } from '#test/support/eventually.js';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { rejection } from '#test/support/use-database.js';

/** A server behind a proxy, which can make it hang or cut it off. */
interface Member {
  readonly proxy: TcpProxy;
  readonly place: string;
  readonly direct: ConnectedDatabase;
  setReadOnly(on: boolean): Promise<void>;
  stop(): Promise<void>;
}

async function startMember(): Promise<Member> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-primary-'));
  const server: PrivateServer = await startPrivateServer({
    stateDir: folder,
    log: silentLog,
    durable: false,
    unrestricted: true,
    bufferPoolBytes: 32 * 1024 * 1024,
  });
  await ensureDatabase({ url: server.databaseUrl() });
  const direct = await connectDatabase({ url: server.databaseUrl(), poolSize: 2 });
  await direct.run(`CREATE USER 'node'@'%' IDENTIFIED BY 'a,b'`);
  await direct.run(`GRANT ALL PRIVILEGES ON svc.* TO 'node'@'%'`);
  await direct.run('CREATE TABLE thing (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB');
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port });
  return {
    proxy,
    direct,
    place: `127.0.0.1:${proxy.port}`,
    async setReadOnly(on) {
      await direct.run(`SET GLOBAL read_only = ${on ? 'ON' : 'OFF'}`);
    },
    async stop() {
      await direct.close();
      await proxy.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A change is noticed within 2 s. The rest is for a busy machine. */
const noticedMs = 4_000;

describe('A database with several hosts', function () {
  this.timeout(60_000);
  const members: Member[] = [];
  const member = (index: number): Member => {
    const found = members[index];
    if (!found) throw new Error('The servers are not started yet.');
    return found;
  };
  const urlOf = (...order: readonly number[]): string =>
    `mysql://node:a,b@${order.map((index) => member(index).place).join(',')}/svc`;
  const open: ConnectedDatabase[] = [];
  const reports: PrimaryReport[] = [];
  const connect = async (url: string): Promise<ConnectedDatabase> => {
    const database = await connectDatabase({ url, poolSize: 4, onPrimary: (report) => reports.push(report) });
    open.push(database);
    return database;
  };
  /** The number of rows with this id that each server has. */
  const rowsWith = (id: number): Promise<number[]> =>
    Promise.all(
      members.map(async ({ direct }) => (await direct.rows('SELECT id FROM thing WHERE id = ?', [id])).length),
    );

  before(async () => {
    members.push(await startMember(), await startMember());
  });
  beforeEach(async () => {
    reports.length = 0;
    await member(0).setReadOnly(false);
    await member(1).setReadOnly(true);
  });
  afterEach(async () => {
    for (const { proxy } of members) proxy.restore();
    for (const database of open.splice(0)) await database.close();
  });
  after(async () => {
    for (const each of members) await each.stop();
  });

  it('is opened on the server that accepts changes, in any order of the URL', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const database = await connect(urlOf(...order));
      expect(database.servers()?.primary).to.equal(member(0).place);
      await database.run('REPLACE INTO thing VALUES (1)');
    }
    expect(await rowsWith(1)).to.deep.equal([1, 0]);
  });

  it('is found while one host hangs and while one does not exist', async () => {
    member(1).proxy.freeze();
    const began = performance.now();
    const primary = await findPrimary({ url: urlOf(1, 0).replace('@', '@127.0.0.1:1,') });
    expect(primary.port).to.equal(member(0).proxy.port);
    expect(performance.now() - began).to.be.lessThan(noticedMs);
  });

  it('goes on with the server that is promoted, and reports the change', async () => {
    const database = await connect(urlOf(0, 1));
    await database.run('INSERT INTO thing VALUES (2)');
    await member(0).setReadOnly(true);
    expect(isConnectionLost(await rejection(database.run('INSERT INTO thing VALUES (3)')))).to.equal(true);
    await eventually(() => reports.at(-1)?.kind === 'problem', 'the problem is reported');
    await member(1).setReadOnly(false);
    const promotedAt = performance.now();
    await eventually(
      () =>
        database.run('INSERT INTO thing VALUES (3)').then(
          () => true,
          () => false,
        ),
      'a statement succeeds',
    );
    expect(performance.now() - promotedAt).to.be.lessThan(noticedMs);
    expect(await rowsWith(3)).to.deep.equal([0, 1]);
    expect(reports.at(-1)).to.include({ kind: 'found', from: member(0).place, to: member(1).place });
    expect(database.servers()).to.deep.equal({
      places: [member(0).place, member(1).place],
      primary: member(1).place,
      changes: 1,
    });
  });

  it('follows a change that happens while no statement is sent', async () => {
    const database = await connect(urlOf(0, 1));
    await member(0).setReadOnly(true);
    await member(1).setReadOnly(false);
    await eventually(() => database.servers()?.primary === member(1).place, 'the other server is the primary');
    await database.run('INSERT INTO thing VALUES (4)');
    expect(await rowsWith(4)).to.deep.equal([0, 1]);
  });

  it('leaves a server that hangs, and ends the statements that wait for it', async () => {
    const database = await connect(urlOf(0, 1));
    const waiting = rejection(database.rows('SELECT SLEEP(30)'));
    await eventually(async () => {
      const sleeping = await member(0).direct.rows(
        "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'",
      );
      return sleeping.length === 1;
    }, 'the statement runs');
    const frozenAt = performance.now();
    member(0).proxy.freeze();
    await member(1).setReadOnly(false);
    expect(isConnectionLost(await waiting)).to.equal(true);
    expect(performance.now() - frozenAt).to.be.lessThan(noticedMs);
    await database.run('INSERT INTO thing VALUES (6)');
    expect(await rowsWith(6)).to.deep.equal([0, 1]);
  });

  it('stays where it is while two servers accept changes, and is not opened anew', async () => {
    const database = await connect(urlOf(1, 0));
    await member(1).setReadOnly(false);
    await eventually(() => reports.at(-1)?.kind === 'problem', 'the problem is reported');
    await database.run('INSERT INTO thing VALUES (7)');
    expect(await rowsWith(7)).to.deep.equal([1, 0]);
    const refused = await rejection(connect(urlOf(1, 0)));
    expect(refused).to.be.instanceOf(NoPrimary);
    expect(startProblem(refused, databaseAddress(urlOf(1, 0)))?.fix).to.contain('SET GLOBAL read_only = ON');
    await member(1).setReadOnly(true);
    await eventually(() => reports.at(-1)?.kind === 'found', 'the problem is over');
  });

  it('says for each host why it cannot be used', async () => {
    await member(0).setReadOnly(true);
    member(1).proxy.sever();
    const began = performance.now();
    const refused = await rejection(connect(urlOf(0, 1)));
    expect(String(refused))
      .to.contain(`${member(0).place}: It is read-only`)
      .and.contain(`${member(1).place}: `);
    expect(performance.now() - began).to.be.greaterThan(9_000);
  });
});
