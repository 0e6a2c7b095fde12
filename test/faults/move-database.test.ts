import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { apiAt, type Api } from '#test/support/api.js';
import { createTestDatabase } from '#test/support/database.js';
import { chosenProducts, needProducts } from '#test/support/products.js';
import { runScript } from '#test/support/run-script.js';
import { proxyBefore, type TcpProxy } from '#test/support/tcp-proxy.js';
import { rejection } from '#test/support/use-database.js';
import { textAt } from './support/call.js';
import { startNode, type NodeProcess } from './support/node.js';

describe('npm run move-database', function () {
  this.timeout(180_000);
  needProducts('email');
  const closes: (() => Promise<unknown>)[] = [];
  let folder: string;
  let target: string;
  let proxy: TcpProxy;
  let node: NodeProcess;
  let key: string;

  const start = async (settings: Readonly<Record<string, string>> = {}): Promise<NodeProcess> => {
    const started = await startNode({ SVC_PORT: '0', SVC_STATE_DIR: folder, ...chosenProducts(), ...settings });
    closes.push(() => started.stop());
    return started;
  };
  const move = (): Promise<{ code: number | null; printed: string }> =>
    runScript('scripts/move-database.ts', [], { SVC_STATE_DIR: folder, SVC_DATABASE_URL: target, ...chosenProducts() });
  const svc = (): Api =>
    apiAt(
      () => node.address,
      () => key,
    );
  const inTarget = async (sql: string): Promise<void> => {
    const database = await connectDatabase({ url: target, poolSize: 2 });
    await database.run(sql);
    await database.close();
  };
  const secretKey = async (): Promise<string> => (await readFile(join(folder, 'secret-key'), 'utf8')).trim();
  const send = (subject: string): Promise<unknown> =>
    svc().call('email.send', { to: 'ada@example.com', subject, text: 'Hello' }, { idempotencyKey: subject });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-move-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    const database = await createTestDatabase();
    closes.push(() => database.drop());
    const proxied = await proxyBefore(database.url);
    proxy = proxied.proxy;
    closes.push(() => proxy.close());
    target = proxied.url;
    node = await start();
    key = textAt(JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8')), 'keys', 'live', 'secret');
    await send('before');
  });
  after(async () => {
    for (const close of closes.reverse()) await close();
  });

  it('is refused while svc runs', async () => {
    const { code, printed } = await move();
    expect(code).to.equal(1);
    expect(printed).to.include('already runs the private database of this state folder').and.include('Stop it first');
    await node.stop();
  });

  it('is refused into a database that is not empty, which stays as it is', async () => {
    await inTarget('CREATE TABLE theirs (id INT PRIMARY KEY)');
    const { code, printed } = await move();
    expect(code).to.equal(1);
    expect(printed).to.include('is not empty: it contains theirs.');
    await inTarget('DROP TABLE theirs');
  });

  it('leaves nothing that svc would start on when the connection breaks in the middle', async () => {
    proxy.onSent((bytes, { cut }) => {
      if (bytes.includes('INSERT INTO `developers_key`')) cut();
    });
    const { code, printed } = await move();
    proxy.onSent(() => undefined);
    expect(code, printed).to.equal(1);
    expect(printed).to.include('The copy is incomplete, and the private server is unchanged. Table developers_key:');
    const refused = await rejection(start({ SVC_DATABASE_URL: target, SVC_SECRET_KEY: await secretKey() }));
    expect(String(refused)).to.include('is incomplete').and.include('Run "npm run move-database" again');
  });

  it('starts over, and svc goes on there with its keys, secrets and messages', async () => {
    const { code, printed } = await move();
    expect(printed).to.match(/Copied \d+ rows of \d+ tables/);
    expect(printed).to.include(`SVC_SECRET_KEY set to the content of ${join(folder, 'secret-key')}`);
    expect(code).to.equal(0);
    node = await start({ SVC_DATABASE_URL: target, SVC_SECRET_KEY: await secretKey() });
    const again = await svc().envelope(
      'email.send',
      { to: 'ada@example.com', subject: 'before', text: 'Hello' },
      { idempotencyKey: 'before' },
    );
    const before = await svc().call('email.message.list', {});
    expect(before.messages.map(({ messageId }) => messageId)).to.deep.equal([again.result.messageId]);
    await send('after');
    const { messages } = await svc().call('email.message.list', {});
    expect(messages.map(({ subject }) => subject)).to.deep.equal(['after', 'before']);
  });

  it('is refused where svc has started already', async () => {
    await node.stop();
    const { code, printed } = await move();
    expect(code).to.equal(1);
    expect(printed).to.match(/is not empty: it contains \w+, /);
  });

  it('needs the key file: without it the private database is not opened, and no other key is created', async () => {
    const path = join(folder, 'secret-key');
    const kept = await readFile(path);
    await rm(path);
    const refused = String(await rejection(start()));
    expect(refused).to.include(`The secret key of the private database, ${path}, is missing`);
    expect(refused).to.include('Restore the file from a backup of the state folder');
    expect(await readdir(folder)).to.not.include('secret-key');
    await writeFile(path, kept);
    await (await start()).stop();
  });
});
