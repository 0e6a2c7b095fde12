import { createServer, type AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '#config/read.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { coreSettings } from '#core/kernel/settings.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { startNode } from '#test/faults/support/node.js';
import { createTestDatabase } from '#test/support/database.js';
import { takeMigratedDatabase } from '#test/support/migrated-database.js';
import { rejection } from '#test/support/use-database.js';

async function tablesAt(url: string): Promise<number> {
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    const [row] = await database.rows<{ found: number }>(
      'SELECT COUNT(*) AS found FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    return row?.found ?? 0;
  } finally {
    await database.close();
  }
}

/** A database that has all tables already, so that a start need not create them. */
const migratedDatabase = async (): ReturnType<typeof takeMigratedDatabase> =>
  takeMigratedDatabase(['core', ...(await findPlugins()).map(({ name }) => name)]);

/** What `serverSettings` says of a variable, without a process of its own. */
function problemWith(settings: Readonly<Record<string, string>>): string {
  try {
    readSettings(coreSettings, [], settings);
  } catch (error) {
    return String(error);
  }
  return '';
}

const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('A start that the settings prevent', function () {
  this.timeout(90_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-start-settings-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** The lines that a start prints that does not succeed. */
  async function printed(settings: Record<string, string>): Promise<string[]> {
    const own = { SVC_PORT: '0', SVC_STATE_DIR: join(folder, 'state'), SVC_LOG_LEVEL: 'silent' };
    const [first = '', ...lines] = String(await rejection(startNode({ ...own, ...settings }))).split('\n');
    expect(first).to.contain('The node did not start (1)');
    return lines;
  }
  /** Nothing was made: neither a private database nor first keys. */
  const stateExists = (): Promise<boolean> => fileExists(join(folder, 'state'));

  it('says in one line that the port is taken and how to take another, before it opens or migrates a database', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address: AddressInfo | string | null = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      const lines = await printed({ SVC_PORT: String(port) });
      expect(lines).to.have.length(1);
      expect(lines[0]).to.match(
        new RegExp(
          `^svc cannot start: Port ${port} of 127\\.0\\.0\\.1 is taken: stop the program that uses it, or set SVC_PORT to a free port: SVC_PORT=\\d+ npm start$`,
        ),
      );
      expect(await stateExists()).to.equal(false);
    } finally {
      taken.close();
    }
  });

  it('says that SVC_HOST is not an address of this machine', async () => {
    const settings = { SVC_HOST: '192.0.2.1', SVC_PORT: '18999', SVC_BASE_URL: 'http://127.0.0.1:18999' };
    const [line = ''] = await printed(settings);
    expect(line).to.contain('192.0.2.1 is not an address of this machine: set SVC_HOST');
  });

  it('refuses a port that no browser and no fetch connects to, and says so', async () => {
    const lines = await printed({ SVC_PORT: '10080' });
    expect(lines).to.have.length(1);
    expect(lines[0])
      .to.contain('SVC_PORT must not be 10080: browsers and the command line svc refuse to connect to this port')
      .and.contain('Set another one, such as 8080.');
    expect(await stateExists()).to.equal(false);
  });

  it('says in one line that the state folder cannot be used', async () => {
    const file = join(folder, 'no-folder');
    await writeFile(file, '');
    const unusable = [file, join(file, 'state'), ...(existsSync('/proc/self') ? ['/proc/svc-state'] : [])];
    for (const path of unusable) {
      const lines = await printed({ SVC_STATE_DIR: path });
      expect(lines).to.have.length(1);
      expect(lines[0])
        .to.contain(`svc cannot start: The state folder ${path} cannot be used (E`)
        .and.contain('set SVC_STATE_DIR to another folder');
    }
  });

  it('says that the keys of the first account cannot be written, and opens no account then', async () => {
    const { url, drop } = await migratedDatabase();
    try {
      const file = join(folder, 'a-file');
      await writeFile(file, '');
      const database = { SVC_DATABASE_URL: url, SVC_SECRET_KEY: randomBytes(32).toString('base64') };
      const lines = await printed({ ...database, SVC_STATE_DIR: file });
      expect(lines.slice(-2).join('\n'))
        .to.contain(`cannot be written to ${join(file, 'first-run.json')}`)
        .and.contain('so no account was opened')
        .and.contain('set SVC_STATE_DIR to another one');
      const node = await startNode({ ...database, SVC_PORT: '0', SVC_STATE_DIR: join(folder, 'writable') });
      await node.stop();
      await access(join(folder, 'writable', 'first-run.json'));
      // The account is open, so the folder is not needed now. It was wrong all the same.
      const later = await startNode({ ...database, SVC_PORT: '0', SVC_STATE_DIR: join(file, 'below') });
      const said = later.printed();
      await later.stop();
      expect(said)
        .to.contain(`warning    The state folder ${join(file, 'below')} cannot be written (`)
        .and.contain('set SVC_STATE_DIR to another folder');
    } finally {
      await drop();
    }
  });

  it('names the setting and how to correct it, without a stack and before it migrates, where a mail port is taken or the MongoDB cannot be used', async () => {
    const { url, drop } = await createTestDatabase();
    const taken = createServer().listen(0);
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      const own = {
        SVC_DATABASE_URL: url,
        SVC_SECRET_KEY: randomBytes(32).toString('base64'),
        SVC_STATE_DIR: join(folder, 'ports'),
      };
      const mail = (await printed({ ...own, SVC_INBOUND_SMTP_PORT: String(port) })).join('\n');
      expect(mail)
        .to.contain(`SMTP on port ${port} did not start`)
        .and.contain('set SVC_INBOUND_SMTP_PORT to another one')
        .and.not.match(/^ +at /m);
      const jobs = (await printed({ ...own, SVC_JOBS_URL: 'mongodb://ann:hush-hush@127.0.0.1:1/x' })).join('\n');
      expect(jobs)
        .to.contain('SVC_JOBS_URL names a MongoDB that cannot be used')
        .and.not.contain('hush-hush')
        .and.not.match(/^ +at /m);
      expect(await tablesAt(url)).to.equal(0);
    } finally {
      taken.close();
      await drop();
    }
  });

  it('refuses SVC_PRODUCTS without a name, which would enable all products', async () => {
    const problem = 'SVC_PRODUCTS is empty: name products, or remove the variable to enable all.';
    expect((await printed({ SVC_PRODUCTS: '' })).join('\n')).to.contain(problem);
    for (const products of ['', ' ', ',']) expect(problemWith({ SVC_PRODUCTS: products })).to.contain(problem);
    expect(await stateExists()).to.equal(false);
  });

  it('refuses a token for /metrics that can be guessed, or that no header can carry', async () => {
    const [short, spaced] = ['short', 'sixteen characters or more'];
    const said = [(await printed({ SVC_METRICS_TOKEN: short })).join('\n'), problemWith({ SVC_METRICS_TOKEN: spaced })];
    for (const text of said) {
      expect(text).to.contain('SVC_METRICS_TOKEN must have at least 16 characters, without spaces');
      expect(text).not.to.contain(short).and.not.to.contain(spaced);
    }
  });

  it('refuses production without a mail server, and says what to set', async () => {
    const lines = await printed({ SVC_BASE_URL: 'https://svc.example.com' });
    expect(lines).to.have.length(1);
    expect(lines[0])
      .to.contain('SVC_SMTP_URL is not set, so mail could not be sent. Set SVC_SMTP_URL=smtp://')
      .and.contain('or leave email out of SVC_PRODUCTS');
    expect(await stateExists()).to.equal(false);
  });

  it('refuses the first start in production without an owner whom mail reaches, and opens no account then', async () => {
    const settings = { SVC_BASE_URL: 'https://svc.example.com', SVC_SMTP_URL: 'smtp://127.0.0.1:9' };
    const own = { ...settings, SVC_STATE_DIR: join(folder, 'no-owner') };
    const lines = await printed(own);
    expect(lines.slice(-2).join('\n'))
      .to.contain('SVC_OWNER_EMAIL is not set, so nobody could sign in')
      .and.contain('Set SVC_OWNER_EMAIL to the email address');
    expect(await fileExists(join(folder, 'no-owner', 'first-run.json'))).to.equal(false);
    const node = await startNode({
      ...own,
      SVC_PORT: '0',
      SVC_LOG_LEVEL: 'silent',
      SVC_OWNER_EMAIL: 'ada@example.com',
    });
    await node.stop();
    expect(await fileExists(join(folder, 'no-owner', 'first-run.json'))).to.equal(true);
  });

  it('starts in production with a mail server, or without email', async () => {
    for (const [state, settings] of [
      ['with-mail', { SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_OWNER_EMAIL: 'ada@example.com' }],
      ['without-email', { SVC_PRODUCTS: 'account,developers', SVC_PROCESSES: '1' }],
    ] as const) {
      const node = await startNode({
        SVC_PORT: '0',
        SVC_STATE_DIR: join(folder, state),
        SVC_BASE_URL: 'https://svc.example.com',
        SVC_LOG_LEVEL: 'silent',
        ...settings,
      });
      expect(await node.stop()).to.equal('0');
    }
  });
});
