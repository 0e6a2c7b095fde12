import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { createConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { DataSource } from 'typeorm';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer, type PrivateServer } from '#core/runtime/private-server/index.js';
import { isAlive } from '#core/runtime/private-server/processes.js';

/** Runs a statement. @returns the first column of the first row of a query */
async function ask(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection({ uri: url });
  try {
    const [rows] = await connection.query<RowDataPacket[] | ResultSetHeader>(sql);
    const first = Array.isArray(rows) ? rows[0] : undefined;
    const values: unknown[] = Object.values(first ?? {});
    return values[0];
  } finally {
    connection.destroy();
  }
}

const refusalOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'it was not refused',
    (error: unknown) => String(error),
  );

/** A process that starts a server and prints its pid and URL. */
function startElsewhere(stateDir: string) {
  const script = `
    import { startPrivateServer } from '#core/runtime/private-server/index.js';
    import { silentLog } from '#core/runtime/log.js';
    const options = { stateDir: ${JSON.stringify(stateDir)}, log: silentLog };
    const { pid, url } = await startPrivateServer(options);
    console.log(JSON.stringify({ pid, url }));
    setInterval(() => undefined, 1000);`;
  const flags = ['--conditions=svc-source', '--import', 'tsx', '--input-type=module', '--eval', script];
  return spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The first output of the process, parsed as JSON. */
async function firstLine(output: Readable): Promise<unknown> {
  for await (const line of createInterface(output)) return JSON.parse(line);
  throw new Error('The process ended before it said anything.');
}

describe('A private database server', () => {
  let folder: string;
  let server: PrivateServer;
  const start = (): Promise<PrivateServer> =>
    startPrivateServer({ stateDir: folder, log: silentLog, bufferPoolBytes: 64 * 1024 * 1024 });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-private-server-'));
    server = await start();
  });

  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers', async () => {
    expect(await ask(server.url, 'SELECT 1')).to.equal(1);
    expect(await ask(server.url, 'SELECT @@time_zone')).to.equal('+00:00');
    await ask(server.url, 'CREATE DATABASE kept');
    await ask(server.databaseUrl('kept'), 'CREATE TABLE word (value VARCHAR(20))');
    await ask(server.databaseUrl('kept'), "INSERT INTO word VALUES ('here')");
  });

  it('has a URL that TypeORM accepts', async () => {
    const source = new DataSource({ type: 'mysql', url: server.databaseUrl('kept') });
    await source.initialize();
    expect(await source.query('SELECT value FROM word')).to.deep.equal([{ value: 'here' }]);
    await source.destroy();
  });

  it('accepts no connection without the password, which only its owner can read', async () => {
    const { port } = new URL(server.url);
    for (const user of ['svc', 'root', 'mysql', 'mariadb.sys', '']) {
      const refusal = await refusalOf(createConnection({ host: '127.0.0.1', port: Number(port), user, password: '' }));
      expect(refusal, `user "${user}"`).to.match(/Access denied/);
    }
    const credentials = join(folder, 'database', 'credentials.json');
    expect((await stat(credentials)).mode & 0o777).to.equal(0o600);
    expect((await stat(join(folder, 'database'))).mode & 0o777).to.equal(0o700);
    expect(await readFile(credentials, 'utf8')).to.contain(`"${new URL(server.url).password}"`);
  });

  it('refuses a second owner, names the first one and says what to do', async () => {
    expect(await refusalOf(start()))
      .to.contain(`pid ${process.pid}`)
      .and.to.contain('SVC_STATE_DIR');
    expect(await ask(server.url, 'SELECT 1')).to.equal(1);
  });

  it('is restarted at the same URL when it is killed', async () => {
    const killed = server.pid;
    process.kill(killed, 'SIGKILL');
    for (const last = Date.now() + 10_000; server.pid === killed && Date.now() < last;) await delay(20);
    expect(server.pid).not.to.equal(killed);
    expect(await ask(server.databaseUrl('kept'), 'SELECT value FROM word')).to.equal('here');
  });

  it('stops, and starts again with its data', async () => {
    const { pid } = server;
    await server.stop();
    expect(isAlive(pid)).to.equal(false);
    server = await start();
    expect(await ask(server.databaseUrl('kept'), 'SELECT value FROM word')).to.equal('here');
    await server.stop();
  });

  it('adopts the server that a killed process left running, and stops it', async () => {
    const parent = startElsewhere(folder);
    const left = await firstLine(parent.stdout);
    expect(await refusalOf(start())).to.contain(`pid ${parent.pid ?? 0}`);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    server = await start();
    expect({ pid: server.pid, url: server.url }).to.deep.equal(left);
    expect(await ask(server.databaseUrl('kept'), 'SELECT value FROM word')).to.equal('here');
    await server.stop();
    expect(isAlive(server.pid)).to.equal(false);
  });
});
