import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { createTestDatabase } from '#test/support/database.js';
import { rawMail } from '#test/email/inbound/support.js';
import { deliver } from '#test/email/inbound/smtp-support.js';
import { call, readAnswer, textAt } from './support/call.js';
import { startNode } from './support/node.js';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  server.close();
  await once(server, 'close');
  return typeof bound === 'object' && bound ? bound.port : 0;
}

describe('kill -9 while mail is received', function () {
  this.timeout(120_000);
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });

  it('neither loses a message nor stores it twice: the sender tries again', async () => {
    const database = await createTestDatabase();
    closes.push(() => database.drop());
    const folder = await mkdtemp(join(tmpdir(), 'svc-inbound-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    const port = await freePort();
    const settings = {
      SVC_PORT: '0',
      SVC_STATE_DIR: folder,
      SVC_DATABASE_URL: database.url,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_INBOUND_SMTP_PORT: String(port),
      SVC_LOG_LEVEL: 'warn',
    };
    const db = await connectDatabase({ url: database.url, poolSize: 2 });
    closes.push(() => db.close());
    const stored = async (): Promise<number> => (await db.rows('SELECT id FROM email_inbound')).length;

    let to = '';
    // Between the end of the message and its storing; between its storing and the answer.
    for (const [fault, expected] of [
      ['inbound.store.before:1', 0],
      ['inbound.store.after:1', 1],
    ] as const) {
      const node = await startNode({ ...settings, SVC_FAULT: fault });
      closes.push(() => node.kill());
      if (to === '') {
        const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
        const secret = textAt(facts, 'keys', 'live', 'secret');
        const outcome = await call(node.address, secret, { operation: 'email.sender.get', input: {} });
        to = textAt(readAnswer(outcome.kind === 'answered' ? outcome.text : '').result, 'ownAddress');
      }
      expect((await deliver(port, rawMail(), { to })).code, fault).not.to.equal(250);
      await node.diedAtPoint();
      expect(await stored(), fault).to.equal(expected);
    }
    const node = await startNode(settings);
    closes.push(() => node.kill());
    expect((await deliver(port, rawMail(), { to })).code).to.equal(250);
    expect(await stored()).to.equal(1);
    const events = await db.rows("SELECT id FROM svc_event WHERE type = 'email.inbound.received'");
    expect(events).to.have.length(1);
    expect(await node.stop()).to.equal('0');
  });
});
