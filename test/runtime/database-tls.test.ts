import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import type { DatabaseTls } from '#core/runtime/database/driver-options.js';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer, type PrivateServer } from '#core/runtime/private-server/index.js';
import { usePlatform } from '#test/support/platform.js';
import { rejection } from '#test/support/use-database.js';

/**
 * Certificates of 100 years, made for these tests: server.pem and client.pem are signed by ca.pem, server.pem for the
 * name localhost.
 */
const file = (name: string): string => fileURLToPath(new URL(`tls/${name}`, import.meta.url));
const pem = (name: string): Promise<string> => readFile(file(name), 'utf8');

const statusOf =
  "SELECT VARIABLE_VALUE AS version FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_version'";
const mysqlStatusOf =
  "SELECT VARIABLE_VALUE AS version FROM performance_schema.session_status WHERE VARIABLE_NAME = 'Ssl_version'";

describe('A database that asks for TLS', function () {
  this.timeout(60_000);
  let folder: string;
  let server: PrivateServer;
  /** The URL of the server's database, for a user of it. */
  const urlOf = (user: string, host = 'localhost'): string => `mysql://${user}:a%2Fb%40c@${host}:${server.port}/svc`;
  const start = async (): Promise<void> => {
    folder = await mkdtemp(join(tmpdir(), 'svc-tls-'));
    server = await startPrivateServer({
      stateDir: folder,
      log: silentLog,
      durable: false,
      unrestricted: true,
      bufferPoolBytes: 64 * 1024 * 1024,
      systemUsers: [],
      flags: [`--ssl-ca=${file('ca.pem')}`, `--ssl-cert=${file('server.pem')}`, `--ssl-key=${file('server-key.pem')}`],
    });
    await ensureDatabase({ url: server.databaseUrl() });
    const database = await connectDatabase({ url: server.databaseUrl(), poolSize: 4 });
    for (const [user, requirement] of [
      ['plain', 'NONE'],
      ['encrypted', 'SSL'],
      ['certified', 'X509'],
    ]) {
      await database.run(`CREATE USER '${user}'@'%' IDENTIFIED BY 'a/b@c' REQUIRE ${requirement}`);
      await database.run(`GRANT ALL PRIVILEGES ON svc.* TO '${user}'@'%'`);
    }
    await database.close();
  };
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const platform = usePlatform({
    settings: async () => {
      await start();
      return {
        SVC_DATABASE_URL: urlOf('certified'),
        SVC_DATABASE_TLS: 'verify',
        SVC_DATABASE_TLS_CA: file('ca.pem'),
        SVC_DATABASE_TLS_CERT: file('client.pem'),
        SVC_DATABASE_TLS_KEY: file('client-key.pem'),
      };
    },
    databaseUrl: () => urlOf('certified'),
  });

  /** Opens `count` connections at once. @returns the TLS version of each */
  async function versions(url: string, tls: DatabaseTls | undefined, count = 3): Promise<string[]> {
    const database = await connectDatabase({ url, tls, poolSize: count });
    try {
      const taken = await Promise.all(Array.from({ length: count }, () => database.acquire()));
      const sql = database.flavour === 'mariadb' ? statusOf : mysqlStatusOf;
      const rows = await Promise.all(taken.map(({ session }) => session.rows<{ version: string }>(sql)));
      await Promise.all(taken.map(({ release }) => release()));
      return rows.map(([row]) => row?.version ?? '');
    } finally {
      await database.close();
    }
  }

  it('is reached through TLS 1.3 on every connection', async () => {
    const tls13 = ['TLSv1.3', 'TLSv1.3', 'TLSv1.3'];
    const ca = await pem('ca.pem');
    expect(await versions(urlOf('plain'), undefined)).to.deep.equal(['', '', '']);
    expect(await versions(urlOf('plain'), { mode: 'required' })).to.deep.equal(tls13);
    expect(await versions(urlOf('encrypted'), { mode: 'verify-ca', ca })).to.deep.equal(tls13);
    expect(await versions(urlOf('encrypted'), { mode: 'verify', ca })).to.deep.equal(tls13);
  });

  it('is not used if another authority signed its certificate, or if the certificate names another host', async () => {
    const [ca, otherCa] = await Promise.all([pem('ca.pem'), pem('other-ca.pem')]);
    for (const connect of [connectDatabase, ensureDatabase]) {
      const refused = async (tls: DatabaseTls, host?: string): Promise<string> =>
        String(await rejection(connect({ url: urlOf('plain', host), tls })));
      expect(await refused({ mode: 'verify', ca: otherCa })).to.match(/certificate/);
      expect(await refused({ mode: 'verify-ca', ca: otherCa })).to.match(/certificate/);
      expect(await refused({ mode: 'verify' })).to.match(/certificate/);
      // Another spelling of 127.0.0.1, which the certificate does not name.
      expect(await refused({ mode: 'verify', ca }, '127.1')).to.match(/does not match/);
    }
    expect(await versions(urlOf('plain', '127.1'), { mode: 'verify-ca', ca }, 1)).to.deep.equal(['TLSv1.3']);
  });

  it('refuses connections without TLS to users that must encrypt', async () => {
    expect(String(await rejection(connectDatabase({ url: urlOf('encrypted') })))).to.match(/denied/);
    expect(String(await rejection(connectDatabase({ url: urlOf('certified'), tls: { mode: 'required' } })))).to.match(
      /denied/,
    );
  });

  it('serves a whole deployment whose user must show a certificate', async () => {
    const { svc } = await platform.account();
    const ready = await fetch(`${platform.running.address}/readyz`);
    expect([ready.status, await ready.text()]).to.deep.equal([200, 'ready\n']);
    const node = await platform.secondNode();
    await svc.call('account.project.create', { name: 'Another' });
    await platform.settled();
    await node.stop();
  });
});
