import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { idText } from '#core/runtime/id.js';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';
import { createTestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { headerOf } from '#test/email/support.js';
import { startSmtpReceiver } from '#test/support/smtp-receiver.js';
import { call, readAnswer, textAt } from './support/call.js';
import {
  clients,
  inFlight,
  keptPromises,
  settleAll,
  startLoad,
  startVisitors,
  type Send,
} from './support/mail-load.js';
import { startNode, type NodeProcess } from './support/node.js';
import { seeded, type Random } from './support/workload.js';

describe('kill -9 under load', function () {
  this.timeout(120_000);
  needProducts('email');
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });

  /** Starts nodes of one deployment that delivers to a receiver. */
  async function deployment(databaseUrl: string) {
    const folder = await mkdtemp(join(tmpdir(), 'svc-kill-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    const mail = await startSmtpReceiver();
    closes.push(() => mail.close());
    const settings = {
      SVC_PORT: '0',
      SVC_STATE_DIR: folder,
      SVC_DATABASE_URL: databaseUrl,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_SMTP_URL: mail.url,
      SVC_LOG_LEVEL: 'warn',
    };
    const start = async (more: Readonly<Record<string, string>> = {}): Promise<NodeProcess> => {
      const node = await startNode({ ...settings, ...more });
      closes.push(() => node.kill());
      return node;
    };
    /** A live key for each client, so that none reaches the limit of 600 calls a minute. */
    const bearers = async (node: NodeProcess): Promise<string[]> => {
      const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
      const first = textAt(facts, 'keys', 'live', 'secret');
      const made = Array.from({ length: clients }, async (_, n) => {
        const input = { name: `Client ${n}`, permissions: ['email:write'] };
        const outcome = await call(node.address, first, { operation: 'developers.key.create', input });
        return textAt(readAnswer(outcome.kind === 'answered' ? outcome.text : '').result, 'plaintext');
      });
      return Promise.all(made);
    };
    const look = async (): Promise<ConnectedDatabase> => {
      const db = await connectDatabase({ url: databaseUrl, poolSize: 2 });
      closes.push(() => db.close());
      return db;
    };
    return { mail, start, bearers, look };
  }

  const within = (random: Random, least: number, most: number): number => least + Math.floor(random() * (most - least));

  it('of the server, twice: accepted messages are not lost, keys do not write twice, answers do not change', async () => {
    const random = seeded('kill -9 of the server');
    const database = await createTestDatabase();
    closes.push(() => database.drop());
    const { mail, start, bearers, look } = await deployment(database.url);
    let node = await start();
    const db = await look();
    const keys = await bearers(node);
    const sends: Send[] = [];
    const claimedAtKill: string[] = [];
    for (const name of ['first', 'second']) {
      const load = startLoad(node, keys, name, false);
      const moment = within(random, 40, 160);
      await eventually(() => load.answered() >= moment, `${moment} answers`, 30_000);
      await pause(within(random, 0, 40));
      await node.kill();
      await load.end();
      sends.push(...load.sends);
      expect(load.unanswered, 'calls interrupted by the kill, one for each client').to.deep.equal(
        keys.map(() => 'broken'),
      );
      const held = await db.rows<{ id: Buffer }>('SELECT id FROM email_queue WHERE leased = 1');
      claimedAtKill.push(...held.map(({ id }) => idText(id)));
      // The dead process's leases would be valid for another half minute. The test expires them instead of waiting.
      await db.run('UPDATE email_queue SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE leased = 1');
      node = await start();
      await settleAll(node, sends);
    }
    await eventually(
      async () => (await db.rows('SELECT id FROM email_queue LIMIT 1')).length === 0,
      'an empty queue',
      30_000,
    );
    await keptPromises(db, mail, sends, 2 * inFlight);
    const count = new Map<string, number>();
    for (const received of mail.received) {
      const id = headerOf(received, 'X-Svc-Message-Id') ?? '';
      count.set(id, (count.get(id) ?? 0) + 1);
    }
    const twice = [...count].filter(([, arrived]) => arrived > 1).map(([id]) => id);
    expect(
      twice.filter((id) => !claimedAtKill.includes(id)),
      'messages delivered twice were leased at a kill',
    ).to.deep.equal([]);
    expect(await node.stop(), node.printed()).to.equal('0');
  });

  it('of one of two processes: the other one answers, another one starts, and the promises are kept', async () => {
    const random = seeded('kill -9 of a process');
    const database = await createTestDatabase();
    closes.push(() => database.drop());
    const { mail, start, bearers, look } = await deployment(database.url);
    const node = await start({ SVC_PROCESSES: '2' });
    const db = await look();
    const keys = await bearers(node);
    const counted = `svc_request_duration_seconds_count{operation="developers.key.create",status="200"} ${clients}\n`;
    for (let scrape = 0; scrape < 4; scrape += 1)
      expect(await (await fetch(`${node.address}/metrics`)).text(), 'metrics of all processes').to.contain(counted);
    const [first = 0, second = 0, ...others] = await node.children();
    expect(others).to.deep.equal([]);
    const load = startLoad(node, keys, 'only', true);
    const moment = within(random, 40, 160);
    const visitors = startVisitors(node.address);
    await eventually(() => load.answered() >= moment, `${moment} answers`, 30_000);
    const killed = random() < 0.5 ? first : second;
    process.kill(killed, 'SIGKILL');
    await eventually(() => load.answered() >= moment + 40, 'answers of the other process', 30_000);
    const replaced = async (): Promise<boolean> => {
      const now = await node.children();
      return now.length === 2 && !now.includes(killed);
    };
    await eventually(replaced, 'another process', 30_000);
    const ended = 'svc_log_errors_total{message="a process of svc ended by SIGKILL; another one starts"} 1\n';
    expect(await (await fetch(`${node.address}/metrics`)).text(), 'the error in the metrics').to.contain(ended);
    await load.end();
    expect(await visitors.end(), 'calls that neither were answered nor broke').to.equal(0);
    // The dead process's leases would be valid for another half minute. The test expires them instead of waiting.
    await db.run('UPDATE email_queue SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE leased = 1');
    await settleAll(node, load.sends);
    await eventually(
      async () => (await db.rows('SELECT id FROM email_queue LIMIT 1')).length === 0,
      'an empty queue',
      30_000,
    );
    await keptPromises(db, mail, load.sends, 2 * inFlight);
    expect(await node.stop(), node.printed()).to.equal('0');
    expect(node.printed()).to.contain('another one starts').and.contain('Stopped.');
  });

  it('of the database: the server answers unavailable, recovers by itself, and keeps its promises', async () => {
    const random = seeded('kill -9 of the database');
    const folder = await mkdtemp(join(tmpdir(), 'svc-kill-db-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    const server = await startPrivateServer({
      stateDir: folder,
      log: silentLog,
      durable: true,
      bufferPoolBytes: 64 << 20,
    });
    closes.push(() => server.stop());
    const { mail, start, bearers, look } = await deployment(server.databaseUrl());
    const node = await start();
    const load = startLoad(node, await bearers(node), 'only', true);
    const moment = within(random, 40, 160);
    await eventually(() => load.answered() >= moment, `${moment} answers`, 30_000);
    await pause(within(random, 0, 40));
    process.kill(server.pid, 'SIGKILL');
    const ready = async (): Promise<number> =>
      (
        await fetch(`${node.address}/readyz`).catch((error: unknown) => {
          throw new Error(`The node did not answer. ${node.printed()}`, { cause: error });
        })
      ).status;
    await eventually(async () => (await ready()) === 503, 'a node that is not ready');
    await eventually(async () => (await ready()) === 200, 'a node that is ready again', 30_000);
    const before = load.answered();
    await eventually(() => load.answered() >= before + 50, '50 answers more', 30_000);
    await load.end();
    // Any answer other than a result or a 503 `unavailable` would have ended the load with an error (see call).
    expect(load.unanswered).to.include('unavailable');
    expect(node.ending(), node.printed()).to.equal(undefined);
    await settleAll(node, load.sends);
    const db = await look();
    await eventually(
      async () => {
        // If an outcome could not be recorded, its lease is left to expire. A lease in use is renewed to 30 s every 5
        // s, so one with 18 s left is abandoned. The test expires it instead of waiting. In a transaction, which is
        // retried if it deadlocks with a worker that records a batch.
        await db.transaction((session) =>
          session.run(
            'UPDATE email_queue SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE leased = 1 AND lease_until < NOW(3) + INTERVAL 18 SECOND',
          ),
        );
        return (await db.rows('SELECT id FROM email_queue LIMIT 1')).length === 0;
      },
      'an empty queue',
      60_000,
    );
    await keptPromises(db, mail, load.sends, inFlight);
    expect(await node.stop(), node.printed()).to.equal('0');
  });
});
