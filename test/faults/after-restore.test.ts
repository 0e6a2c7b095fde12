import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { apiAt, type Api } from '#test/support/api.js';
import { createTestDatabase } from '#test/support/database.js';
import { chosenProducts, needProducts } from '#test/support/products.js';
import { runScript } from '#test/support/run-script.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { onVitess } from '#test/support/vitess.js';
import { startWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.js';
import { textAt } from './support/call.js';
import { startNode, type NodeProcess } from './support/node.js';

const run = promisify(execFile);

/** The options of MariaDB's programs for a database. */
function server(url: string): { words: string[]; env: NodeJS.ProcessEnv } {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const socket = searchParams.get('socketPath');
  const at = socket === null ? [`--host=${hostname}`, `--port=${port}`] : [`--socket=${socket}`];
  const words = [...at, `--user=${decodeURIComponent(username)}`, pathname.slice(1)];
  return { words, env: { ...process.env, MYSQL_PWD: decodeURIComponent(password) } };
}

/** Dumps a database and restores it into another one, with the documented commands. @returns false without them */
async function backUpAndRestore(from: string, file: string, to: string): Promise<boolean> {
  const [source, target] = [server(from), server(to)];
  const dumped = ['--single-transaction', '--no-tablespaces', `--result-file=${file}`, ...source.words];
  try {
    await run('mariadb-dump', dumped, { env: source.env });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
  expect((await readFile(file, 'utf8')).trimEnd().split('\n').at(-1)).to.contain('-- Dump completed');
  await run('sh', ['-c', 'exec mariadb "$@" < "$DUMP"', 'sh', ...target.words], { env: { ...target.env, DUMP: file } });
  return true;
}

describe('A restored backup', function () {
  this.timeout(300_000);
  needProducts('email', 'audience', 'developers');
  const closes: (() => Promise<unknown>)[] = [];
  const secretKey = randomBytes(32).toString('base64');
  let folder: string;
  let restored: string;
  let db: ConnectedDatabase;
  let mail: SmtpReceiver;
  let webhooks: WebhookReceiver;
  let node: NodeProcess;
  let key: string;
  let testKey: string;
  let environmentId: string;
  const svc: Api = apiAt(
    () => node.address,
    () => key,
  );

  const settings = (url: string): Record<string, string> => ({
    SVC_STATE_DIR: folder,
    SVC_DATABASE_URL: url,
    SVC_SECRET_KEY: secretKey,
    ...chosenProducts(),
  });
  const start = async (url: string, role: 'api' | 'all'): Promise<NodeProcess> => {
    const started = await startNode({
      ...settings(url),
      SVC_PORT: '0',
      SVC_ROLE: role,
      SVC_SMTP_URL: mail.url,
      SVC_OUTBOUND_ALLOW: '127.0.0.0/8',
    });
    closes.push(() => started.stop());
    return started;
  };
  const afterRestore = async (...words: string[]): Promise<string> => {
    const { code, printed } = await runScript('scripts/after-restore.ts', words, settings(restored));
    expect(code, printed).to.equal(0);
    return printed;
  };
  /** What the command shows of a kind: how much waits, and how much is held. */
  const counts = (printed: string, kind: string): [waits: number, held: number] | null => {
    const found = new RegExp(`^${environmentId}\\s+${kind}\\s+(\\d+)\\s+(\\d+)`, 'm').exec(printed);
    return found && [Number(found[1]), Number(found[2])];
  };
  const number = async (sql: string): Promise<number> => {
    const [row] = await db.rows<{ found: number }>(`SELECT (${sql}) AS found`);
    return Number(row?.found);
  };
  const send = async (subject: string, sendAfter?: string): Promise<string> =>
    (await svc.call('email.send', { to: 'ada@example.com', subject, text: 'Hello', ...(sendAfter && { sendAfter }) }))
      .messageId;

  const createContact = (email: string): Promise<unknown> =>
    svc.call('audience.contact.upsert', { email }, { key: testKey });

  let queued: string[];
  let scheduled: string;
  let broadcastId: string;

  before(async function () {
    if (onVitess) this.skip();
    folder = await mkdtemp(join(tmpdir(), 'svc-restored-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    mail = await startSmtpReceiver();
    closes.push(() => mail.close());
    webhooks = await startWebhookReceiver();
    closes.push(() => webhooks.close());
    const source = await createTestDatabase();
    closes.push(() => source.drop());
    node = await start(source.url, 'api');
    const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
    key = textAt(facts, 'keys', 'live', 'secret');
    testKey = textAt(facts, 'keys', 'test', 'secret');
    environmentId = textAt(facts, 'environments', 'live');
    const endpoint = { url: `${webhooks.url}/hook`, eventTypes: ['audience.contact.created'] };
    await svc.call('developers.webhook.create', endpoint, { key: testKey });
    await createContact('before@example.com');
    queued = [await send('first'), await send('second'), await send('third')];
    scheduled = await send('tomorrow', new Date(Date.now() + 86_400_000).toISOString());
    await svc.call('audience.topic.create', { key: 'news', name: 'News' });
    await svc.call('audience.contact.upsert', { email: 'ada@example.com' });
    const consent = { topic: 'news', channel: 'email', source: 'form' } as const;
    await svc.call('audience.consent.grant', { email: 'ada@example.com', ...consent });
    await svc.call('email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
    await svc.call('email.template.draft.save', {
      template: 'news',
      locales: { en: { subject: 'News', text: 'Hello' } },
    });
    await svc.call('email.template.publish', { template: 'news' });
    const from = textAt(await svc.call('email.sender.get', {}), 'ownAddress');
    const draft = { name: 'News', template: 'news', topic: 'news', from };
    const { broadcast } = await svc.call('email.broadcast.create', draft);
    broadcastId = broadcast.id;
    await svc.call('email.broadcast.send', { broadcastId });
    await node.stop();
    const target = await createTestDatabase();
    closes.push(() => target.drop());
    restored = target.url;
    if (!(await backUpAndRestore(source.url, join(folder, 'backup.sql'), restored))) this.skip();
    db = await connectDatabase({ url: restored, poolSize: 1 });
    closes.push(() => db.close());
  });
  after(async () => {
    for (const close of closes.reverse()) await close();
  });

  it('is shown to the operator, and nothing changes', async () => {
    const before = await number('SELECT COUNT(*) FROM svc_activity');
    const printed = await afterRestore();
    expect(counts(printed, 'mail')).to.deep.equal([4, 0]);
    expect(counts(printed, 'mail-broadcasts')).to.deep.equal([1, 0]);
    expect(await number('SELECT COUNT(*) FROM svc_activity')).to.equal(before);
  });

  it('is held, also after the command was killed, and workers send only what is accepted later', async () => {
    const killed = await runScript('scripts/after-restore.ts', ['--hold'], {
      ...settings(restored),
      SVC_FAULT: 'restore.batch:1',
    });
    expect(killed.code, killed.printed).to.equal(null);
    const printed = await afterRestore('--hold');
    expect(counts(printed, 'mail')).to.deep.equal([0, 4]);
    expect(counts(printed, 'mail-broadcasts')).to.deep.equal([0, 1]);
    expect(printed).to.match(/ events +0 +1 /);
    expect(await afterRestore('--hold')).to.contain('Held 0 items.');
    const records = "SELECT COUNT(*) FROM svc_activity WHERE summary LIKE '% of a restored backup.'";
    expect(await number(`${records} AND summary = 'Held 4 mails of a restored backup.'`)).to.equal(1);

    node = await start(restored, 'all');
    await send('after the restore');
    await createContact('after@example.com');
    await mail.waitFor(1);
    await webhooks.waitFor((all) => all.length > 0);
    expect(mail.received.map(({ parsed }) => parsed.subject)).to.deep.equal(['after the restore']);
    expect(webhooks.received.map(({ body }) => /\w+@example.com/.exec(body)?.[0])).to.deep.equal(['after@example.com']);
    for (const messageId of [...queued, scheduled])
      expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('held');
    expect((await svc.call('email.message.list', { status: 'held' })).messages).to.have.length(4);
    expect((await svc.call('email.message.list', { status: 'queued' })).messages).to.deep.equal([]);
    const { broadcast } = await svc.call('email.broadcast.get', { broadcastId });
    expect([broadcast.status, broadcast.holdReason]).to.deep.equal(['held', 'restored']);
  });

  it('is released and cancelled as the operator decides', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    expect(await afterRestore('--release', '--kind', 'mail', '--due-from', soon)).to.contain('Released 1 item.');
    expect((await svc.call('email.message.get', { messageId: scheduled })).message.status).to.equal('queued');
    const [first] = queued;
    await svc.call('email.message.cancel', { messageId: first ?? '' });
    await afterRestore('--release', '--kind', 'events');
    await webhooks.waitFor(2);
    expect(webhooks.received[1]?.body).to.contain('before@example.com');
    await afterRestore('--cancel');
    for (const messageId of queued)
      expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('cancelled');
    expect((await svc.call('email.broadcast.get', { broadcastId })).broadcast.status).to.equal('closed');
    const printed = await afterRestore();
    expect(counts(printed, 'mail')).to.deep.equal([1, 0]);
    expect(counts(printed, 'events')).to.equal(null);
    expect(mail.received).to.have.length(1);
  });

  it('says what a word means that it does not know', async () => {
    const { code, printed } = await runScript(
      'scripts/after-restore.ts',
      ['--hold', '--kind', 'letters'],
      settings(restored),
    );
    expect(code).to.equal(1);
    expect(printed).to.contain('The kind letters is unknown. The kinds are: ').and.contain('webhook-deliveries');
  });
});
