import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { createConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer, type PrivateServer } from '#core/runtime/private-server/index.js';
import { isAlive } from '#core/runtime/private-server/processes.js';
import { eventually } from '#test/support/eventually.js';

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
    import { ensureDatabase } from '#core/runtime/database/server/create.js';
import { silentLog } from '#core/runtime/log.js';
    const options = { stateDir: ${JSON.stringify(stateDir)}, log: silentLog, systemUsers: ['nobody'] };
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
    startPrivateServer({
      stateDir: folder,
      log: silentLog,
      bufferPoolBytes: 64 * 1024 * 1024,
      systemUsers: ['no-such-user', 'nobody'],
    });

  before(async () => {
    // The installer of MariaDB is a shell script, which splits what it does not quote.
    folder = await mkdtemp(join(tmpdir(), 'svc private sérver-'));
    server = await start();
  });

  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers', async () => {
    expect(await ask(server.url, 'SELECT 1')).to.equal(1);
    expect(await ask(server.url, 'SELECT @@time_zone')).to.equal('+00:00');
    await ensureDatabase({ url: server.databaseUrl() });
    await ask(server.databaseUrl(), 'CREATE TABLE word (value VARCHAR(20))');
    await ask(server.databaseUrl(), "INSERT INTO word VALUES ('here')");
  });

  it('is reached through its socket, and by other programs at its port too', async () => {
    const { username, password, searchParams } = new URL(server.url);
    expect(searchParams.get('socketPath')).to.match(/^\/.*\/server\.sock$/);
    expect(await ask(server.url, 'SELECT CURRENT_USER()')).to.equal('svc@localhost');
    const overTcp = `mysql://${username}:${password}@127.0.0.1:${server.port}/svc`;
    expect(await ask(overTcp, 'SELECT value FROM word')).to.equal('here');
    expect(await refusalOf(ask(overTcp, 'CREATE DATABASE another'))).to.match(/denied/i);
  });

  it('accepts no connection without the password, which only its owner can read', async () => {
    const { port } = server;
    for (const user of ['svc', 'root', 'mysql', 'mariadb.sys', '']) {
      const refusal = await refusalOf(createConnection({ host: '127.0.0.1', port, user, password: '' }));
      expect(refusal, `user "${user}"`).to.match(/Access denied/);
    }
    const socketPath = new URL(server.url).searchParams.get('socketPath') ?? '';
    for (const user of ['svc', 'nobody', ''])
      expect(await refusalOf(createConnection({ socketPath, user, password: '' })), user).to.match(/Access denied/);
    const credentials = join(folder, 'database', 'credentials.json');
    expect((await stat(credentials)).mode & 0o777).to.equal(0o600);
    // The server's user may enter the folder where this process is root.
    expect((await stat(join(folder, 'database'))).mode & 0o767).to.equal(0o700);
    expect(await readFile(credentials, 'utf8')).to.contain(`"${new URL(server.url).password}"`);
  });

  it('lets its user use one database and nothing else', async () => {
    const url = server.databaseUrl();
    for (const sql of [
      'CREATE DATABASE another',
      'SELECT * FROM mysql.global_priv',
      'SELECT * FROM mysql.user',
      "CREATE USER 'other'@'127.0.0.1'",
      'SET GLOBAL max_connections = 10',
      "SELECT value FROM word INTO OUTFILE 'word.txt'",
    ])
      expect(await refusalOf(ask(url, sql)), sql).to.match(/denied/i);
    expect(await ask(url, "SELECT LOAD_FILE('/etc/passwd')")).to.equal(null);
  });

  it('reads and writes files in a folder of its own alone, and none of its clients', async () => {
    const own = await realpath(join(folder, 'database', 'files'));
    expect(String(await ask(server.url, 'SELECT @@secure_file_priv')).replace(/\/$/, '')).to.equal(own);
    expect(await ask(server.url, 'SELECT @@local_infile')).to.equal(0);
  });

  it('does not run as root where another user may enter its folder', async () => {
    const uid = (...of: string[]): number => Number(execFileSync(of[0] ?? '', of.slice(1), { encoding: 'utf8' }));
    const expected = process.getuid?.() === 0 ? uid('id', '-u', 'nobody') : process.getuid?.();
    expect(uid('ps', '-o', 'uid=', '-p', String(server.pid))).to.equal(expected);
    const { uid: owner, mode } = await stat(join(folder, 'database', 'credentials.json'));
    expect([owner, mode & 0o777]).to.deep.equal([process.getuid?.(), 0o600]);
  });

  it('refuses a second owner, names the first one and says what to do', async () => {
    expect(await refusalOf(start()))
      .to.contain(`pid ${process.pid}`)
      .and.to.contain('SVC_STATE_DIR');
    expect(await ask(server.url, 'SELECT 1')).to.equal(1);
  });

  it('keeps the access to its folder while a second owner is refused', async () => {
    const root = join(folder, 'database');
    const changed: (string | null)[] = [];
    // Linux names the watched folder itself when its mode or owner changes.
    const watcher = watch(root, (_, name) => changed.push(name));
    try {
      await refusalOf(start());
      await writeFile(join(root, 'last'), '');
      await eventually(() => changed.includes('last'), 'what was watched until the end');
      expect(changed).not.to.include('database');
    } finally {
      watcher.close();
      await rm(join(root, 'last'));
    }
  });

  it('is restarted at the same URL when it is killed', async () => {
    const killed = server.pid;
    process.kill(killed, 'SIGKILL');
    for (const last = Date.now() + 10_000; server.pid === killed && Date.now() < last;) await delay(20);
    expect(server.pid).not.to.equal(killed);
    expect(await ask(server.databaseUrl(), 'SELECT value FROM word')).to.equal('here');
  });

  it('stops, and starts again with its data', async () => {
    const { pid } = server;
    await server.stop();
    expect(isAlive(pid)).to.equal(false);
    server = await start();
    expect(await ask(server.databaseUrl(), 'SELECT value FROM word')).to.equal('here');
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
    expect(await ask(server.databaseUrl(), 'SELECT value FROM word')).to.equal('here');
    await server.stop();
    expect(isAlive(server.pid)).to.equal(false);
  });
});
