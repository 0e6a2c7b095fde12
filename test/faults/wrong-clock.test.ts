import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { firstIdAt, idBytes } from '#core/runtime/id.js';
import { intervalMs } from '#core/runtime/jobs/due-time.js';
import { days, minutes } from '#test/support/clock.js';
import { createTestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { call, readAnswer, textAt } from './support/call.js';
import { startNode, type NodeProcess } from './support/node.js';

/** Moves a process's clock, as Node sees it: the database, which is another process, keeps the right time. */
const clockOffBy = (ms: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(
    `const Real = Date;
     globalThis.Date = class Date extends Real {
       constructor(...given) { if (given.length === 0) super(Real.now() + ${ms}); else super(...given); }
       static now() { return Real.now() + ${ms}; }
     };`,
  )}`;

/** Columns whose times may be in the future. */
const ahead = ['due_at', 'next_run_at', 'expires_at', 'resets_at', 'lease_until', 'locked_at'];

describe('Two nodes on one database, one of which has a wrong clock', function () {
  this.timeout(180_000);
  needProducts('email', 'auth', 'billing');
  const closes: (() => Promise<unknown>)[] = [];
  const given: {
    db?: ConnectedDatabase;
    mail?: SmtpReceiver;
    key?: string;
    publishable?: string;
    right?: NodeProcess;
  } = {};
  const started = Date.now();
  const settings: Record<string, string> = {};
  const db = (): ConnectedDatabase => {
    if (!given.db) throw new Error('The database is not connected yet.');
    return given.db;
  };
  const addressOf = (node: NodeProcess | undefined): string => node?.address ?? '';

  before(async () => {
    const { url, drop } = await createTestDatabase();
    closes.push(drop);
    const folder = await mkdtemp(join(tmpdir(), 'svc-clock-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    const mail = await startSmtpReceiver();
    closes.push(() => mail.close());
    Object.assign(settings, {
      SVC_PORT: '0',
      SVC_STATE_DIR: folder,
      SVC_DATABASE_URL: url,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_SMTP_URL: mail.url,
      SVC_LOG_LEVEL: 'warn',
    });
    const right = await startNode(settings);
    closes.push(() => right.kill());
    const connected = await connectDatabase({ url, poolSize: 2 });
    closes.push(() => connected.close());
    const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
    Object.assign(given, { db: connected, mail, right, key: textAt(facts, 'keys', 'live', 'secret') });
    given.publishable = textAt(facts, 'keys', 'live', 'publishable');
    const rateLimits = {
      startPerIdentifier: { max: 3, windowSeconds: 60 },
      startPerIp: { max: 100, windowSeconds: 60 },
    };
    await result(right, 'auth.settings.set', { rateLimits });
  });
  after(async () => {
    for (const close of closes.reverse()) await close();
  });

  const result = async (node: NodeProcess | undefined, operation: string, input: object): Promise<unknown> => {
    const outcome = await call(addressOf(node), given.key ?? '', { operation, input });
    return readAnswer(outcome.kind === 'answered' ? outcome.text : '').result;
  };
  const send = async (node: NodeProcess | undefined, to: string, more: object = {}): Promise<string> =>
    textAt(await result(node, 'email.send', { to, subject: 'Hi', text: 'Hello', ...more }), 'messageId');
  /** Of the sign-ins of one address, three may start in a minute. */
  const startSignIn = async (
    node: NodeProcess | undefined,
    email: string,
  ): Promise<{ status: number; seconds: number }> => {
    const answer = await fetch(`${addressOf(node)}/auth/signin/start`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${given.publishable ?? ''}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    const [, seconds] = /"fix":"[^"]*?(\d+) seconds?/.exec(await answer.text()) ?? [];
    return { status: answer.status, seconds: Number(seconds) };
  };
  const arrived = (to: string): boolean =>
    given.mail?.received.some(({ recipients }) => recipients.includes(to)) ?? false;
  const number = async (sql: string, values: readonly (Buffer | string)[] = []): Promise<number> => {
    const [row] = await db().rows<{ found: number }>(`SELECT (${sql}) AS found`, values);
    return Number(row?.found);
  };

  /** The times in all tables that no correct clock can have shown: `table.column`. */
  async function wrongTimes(): Promise<string[]> {
    const columns = await db().rows<{ owner: string; name: string }>(
      `SELECT table_name AS owner, column_name AS name FROM information_schema.columns
       WHERE table_schema = DATABASE() AND data_type = 'datetime' ORDER BY table_name, column_name`,
    );
    const wrong: string[] = [];
    for (const { owner, name } of columns) {
      const [row] = await db().rows<{ first: Date | null; last: Date | null }>(
        `SELECT MIN(\`${name}\`) AS first, MAX(\`${name}\`) AS last FROM \`${owner}\``,
      );
      if (row?.first && row.first.getTime() < started - minutes(5))
        wrong.push(`${owner}.${name} ${row.first.toISOString()}`);
      const latest = Date.now() + (ahead.includes(name) ? days(60) : minutes(5));
      if (row?.last && row.last.getTime() > latest) wrong.push(`${owner}.${name} ${row.last.toISOString()}`);
    }
    return wrong;
  }

  for (const offset of [days(1), -days(1), days(100), -days(100)])
    it(`by ${offset / days(1)} days: ids, limits, mail and jobs are right, and what cannot be undone waits`, async () => {
      const wrong = await startNode({ ...settings, NODE_OPTIONS: clockOffBy(offset) });
      try {
        const before = await number('SELECT COUNT(*) FROM svc_event');
        const [mine, theirs] = [`wrong${offset}@example.com`, `right${offset}@example.com`];
        const ids = [await send(wrong, mine), await send(given.right, theirs)];
        for (const id of ids) {
          expect(idBytes(id).compare(firstIdAt(new Date(Date.now() - minutes(5))))).to.equal(1);
          expect(idBytes(id).compare(firstIdAt(new Date(Date.now() + minutes(5))))).to.equal(-1);
        }
        await eventually(() => arrived(mine) && arrived(theirs), 'both mails', 20_000);
        // The calls of both nodes count against one limit, and its window ends on time for both.
        const starts = [wrong, given.right, wrong, given.right, wrong];
        const answers = [];
        for (const node of starts) answers.push(await startSignIn(node, `limit${offset}@example.com`));
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 429, 429]);
        for (const { seconds } of answers.slice(3)) expect(seconds).to.be.within(1, 60);

        // Every job runs on one of the two nodes, and is due again on time.
        await db().run('UPDATE svc_job SET next_run_at = NOW(3)');
        await eventually(
          async () =>
            (await number('SELECT COUNT(*) FROM svc_job WHERE next_run_at <= NOW(3) OR locked_at IS NOT NULL')) === 0,
          'the run of every job',
          30_000,
        );
        const jobs = await db().rows<{ name: Buffer; next_run_at: Date; repeat_interval: string }>(
          'SELECT name, next_run_at, repeat_interval FROM svc_job',
        );
        expect(jobs).to.have.length.greaterThan(10);
        for (const { name, next_run_at: next, repeat_interval: interval } of jobs) {
          const latest = Date.now() + (intervalMs(interval) ?? days(31)) + minutes(1);
          expect(next.getTime(), name.toString()).to.be.below(latest);
        }
        expect(await wrongTimes()).to.deep.equal([]);
        expect(await number('SELECT COUNT(*) FROM svc_event')).to.be.at.least(before);
        expect(await number('SELECT COUNT(*) FROM billing_invoice')).to.equal(0);
      } finally {
        expect(await wrong.stop()).to.equal('0');
      }
    });

  it('what was queued while the database’s clock was ahead comes back, and what somebody chose stays', async () => {
    const inTwentyDays = new Date(Date.now() + days(20)).toISOString();
    const chosen = await send(given.right, 'later@example.com', { sendAfter: inTwentyDays });
    const stuck = await send(given.right, 'stuck@example.com', { sendAfter: inTwentyDays });
    await db().run('UPDATE email_queue SET due_at = NOW(3) + INTERVAL 40 DAY WHERE id = ?', [idBytes(stuck)]);
    await db().run("UPDATE svc_job SET next_run_at = NOW(3) WHERE name = 'svc.bring-back-work'");
    await eventually(() => arrived('stuck@example.com'), 'the mail that was stuck', 30_000);
    const due = await number('SELECT due_at > NOW(3) + INTERVAL 19 DAY FROM email_queue WHERE id = ?', [
      idBytes(chosen),
    ]);
    expect(due).to.equal(1);
  });
});
