import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTestDatabase } from '#test/support/database.js';
import { startSmtpReceiver } from '#test/support/smtp-receiver.js';
import { call, readAnswer, textAt } from './support/call.js';
import { startNode, type NodeProcess } from './support/node.js';

describe('kill -9 after a sign-in was started', function () {
  this.timeout(120_000);
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });

  it('loses no code: its mail leaves after the restart, and the code signs in', async () => {
    const database = await createTestDatabase();
    closes.push(() => database.drop());
    const folder = await mkdtemp(join(tmpdir(), 'svc-sign-in-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    const mail = await startSmtpReceiver();
    closes.push(() => mail.close());
    const settings = {
      SVC_PORT: '0',
      SVC_STATE_DIR: folder,
      SVC_DATABASE_URL: database.url,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_SMTP_URL: mail.url,
      SVC_LOG_LEVEL: 'warn',
    };
    const start = async (role: string): Promise<NodeProcess> => {
      const node = await startNode({ ...settings, SVC_ROLE: role });
      closes.push(() => node.kill());
      return node;
    };
    const resultOf = async (node: NodeProcess, operation: string, input: object): Promise<Record<string, unknown>> => {
      const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
      const outcome = await call(node.address, textAt(facts, 'keys', 'live', 'publishable'), { operation, input });
      return readAnswer(outcome.kind === 'answered' ? outcome.text : '').result;
    };

    // A node that only answers sends nothing: the mail is queued when it dies.
    const answering = await start('api');
    const { challengeId } = await resultOf(answering, 'auth.signin.start', { email: 'ada@example.com' });
    await answering.kill();
    expect(mail.received).to.deep.equal([]);
    const restarted = await start('all');
    const [received] = await mail.waitFor(1, 30_000);
    const code = /\b\d{6}\b/.exec(received?.parsed.text ?? '')?.[0] ?? '';
    const { status } = await resultOf(restarted, 'auth.signin.verify', { challengeId, code });
    expect(status).to.equal('complete');
  });
});
