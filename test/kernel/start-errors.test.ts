import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';
import { newRootKey } from '#core/runtime/secrets/root-key.js';
import { startNode } from '#test/faults/support/node.js';
import { usePlainUser } from '#test/support/read-only.js';
import { rejection, useDatabase } from '#test/support/use-database.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('A start that the database prevents', function () {
  this.timeout(90_000);
  const test = useDatabase();
  const plain = usePlainUser();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-start-errors-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** What a start prints that does not succeed: what is wrong and how to correct it, and no stack. */
  async function printed(databaseUrl: string, settings: Record<string, string> = {}): Promise<string> {
    const error = await rejection(
      startNode({
        SVC_PORT: '0',
        SVC_STATE_DIR: folder,
        SVC_SECRET_KEY: newRootKey(),
        SVC_DATABASE_URL: databaseUrl,
        SVC_LOG_LEVEL: 'silent',
        ...settings,
      }),
    );
    const text = String(error);
    expect(text).to.contain('The node did not start (1)');
    expect(text).to.not.match(/^ +at .*:\d+/m);
    return text;
  }

  it('says where it looked for the server', async () => {
    const text = await printed('mysql://svc:secret@127.0.0.1:9/svc');
    expect(text).to.contain('No database server can be reached at 127.0.0.1:9 (ECONNREFUSED).');
    expect(text).to.contain('correct host and port in SVC_DATABASE_URL').and.not.to.contain('secret');
  });

  it('says that there is no socket at the path', async () => {
    const text = await printed('mysql://svc:secret@localhost/svc?socketPath=/nowhere/server.sock');
    expect(text).to.contain('No database server can be reached at /nowhere/server.sock (ENOENT).');
    expect(text).to.contain('correct socketPath in SVC_DATABASE_URL').and.not.to.contain('secret');
  });

  it('says that user or password are wrong', async function () {
    skipOnVitess(this, 'users of the server');
    const text = await printed(test.url.replace(/:\/\/[^@]*@/, '://nobody:hidden@'));
    expect(text).to.contain('refuses the user "nobody"').and.contain('Correct user and password in SVC_DATABASE_URL.');
    expect(text).not.to.contain('hidden');
  });

  it('says what to grant to a user without rights', async function () {
    skipOnVitess(this, 'users of the server');
    const name = new URL(test.url).pathname.slice(1);
    const other = `svc_${randomBytes(6).toString('hex')}`;
    await test.direct.run(`CREATE USER '${other}'@'%' IDENTIFIED BY 'plain'`);
    await test.direct.run(`GRANT SELECT, INSERT ON \`${name}\`.* TO '${other}'@'%'`);
    const withName = (database: string): string =>
      test.url.replace(/:\/\/[^@]*@/, `://${other}:plain@`).replace(name, database);
    try {
      for (const database of [name, 'not_theirs']) {
        const text = await printed(withName(database));
        expect(text).to.contain(`The user "${other}" lacks rights on the database "${database}"`);
        expect(text).to.match(new RegExp(`GRANT ALL PRIVILEGES ON \`${database}\`\\.\\* TO '${other}'@'[^']+';`));
      }
    } finally {
      await test.direct.run(`DROP USER '${other}'@'%'`);
    }
  });

  it('says that the server is read-only', async function () {
    skipOnVitess(this, 'users of the server');
    const url = await plain.create(test.url);
    await plain.setReadOnly(true);
    try {
      expect(await printed(url))
        .to.contain('is read-only')
        .and.contain('Point SVC_DATABASE_URL to the primary');
    } finally {
      await plain.setReadOnly(false);
    }
  });

  it('says which form the binary log needs', async () => {
    const server = await startPrivateServer({
      stateDir: folder,
      log: silentLog,
      bufferPoolBytes: 64 * 1024 * 1024,
      flags: ['--log-bin=binlog', '--server-id=1', '--binlog-format=STATEMENT'],
    });
    try {
      for (const settings of [{}, { SVC_BASE_URL: 'https://svc.example.com', SVC_SMTP_URL: 'smtp://127.0.0.1:9' }]) {
        const text = await printed(server.databaseUrl(), settings);
        expect(text).to.contain('binlog_format is STATEMENT').and.contain('SET GLOBAL binlog_format = ROW');
      }
    } finally {
      await server.stop();
    }
  });
});
