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
import { headerOf } from '#test/email/support.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { call, readAnswer, textAt } from './support/call.js';
import { startNode, type NodeProcess } from './support/node.js';
import { seeded, type Random } from './support/workload.js';

const clients = 16;
/** Messages of one lane in delivery at once (plugins/email/work/delivery.ts): no more can be in flight at a kill. */
const inFlight = 8;

/** One message under its key, and the first answer that came. */
interface Send {
  bearer: string;
  key: string;
  answer?: string;
}

const toOf = (key: string): string => `${key}@example.com`;

const attempt = (node: NodeProcess, { bearer, key }: Send) =>
  call(node.address, bearer, {
    operation: 'email.send',
    input: { to: toOf(key), subject: `Order ${key}`, text: 'On its way.' },
    idempotencyKey: key,
  });

/** Makes a send until it is answered, and holds every answer to the first one. */
async function settle(node: NodeProcess, send: Send): Promise<void> {
  await eventually(
    async () => {
      const outcome = await attempt(node, send);
      if (outcome.kind === 'open') {
        // Of an unanswered call the database may still be rolling back what the dead process had begun.
        expect(send.answer === undefined || outcome.why !== 'in progress', `${send.key} was answered`).to.equal(true);
        return false;
      }
      if (send.answer !== undefined) {
        expect(outcome.text, `the answer to ${send.key}`).to.equal(send.answer);
        expect(outcome.replayed, `${send.key} is a replay`).to.equal(true);
      }
      send.answer ??= outcome.text;
      return true;
    },
    `an answer to ${send.key}`,
    30_000,
  );
}

/** The same for many, each client's one after another. */
async function settleAll(node: NodeProcess, sends: readonly Send[]): Promise<void> {
  const bearers = [...new Set(sends.map(({ bearer }) => bearer))];
  await Promise.all(
    bearers.map(async (bearer) => {
      for (const send of sends) if (send.bearer === bearer) await settle(node, send);
    }),
  );
}

/** 16 clients that send for as long as they are told to. */
function startLoad(node: NodeProcess, bearers: readonly string[], name: string, stubborn: boolean) {
  const sends: Send[] = [];
  const unanswered: string[] = [];
  let going = true;
  const client = async (bearer: string, index: number): Promise<void> => {
    for (let n = 0; going; n += 1) {
      const send: Send = { bearer, key: `${name}-${index}-${n}` };
      sends.push(send);
      for (;;) {
        const outcome = await attempt(node, send);
        if (outcome.kind === 'answered') send.answer = outcome.text;
        else unanswered.push(outcome.why);
        if (outcome.kind === 'answered') break;
        // A dead node answers nobody any more.
        if (!stubborn) return;
        await pause(50);
      }
    }
  };
  const running = Promise.all(bearers.map(client));
  return {
    sends,
    unanswered,
    answered: () => sends.filter(({ answer }) => answer !== undefined).length,
    async end() {
      going = false;
      await running;
    },
  };
}

/** What must hold once everything has settled, whatever was killed. @param mayRepeat how many mails may have come twice */
async function promises(
  db: ConnectedDatabase,
  mail: SmtpReceiver,
  sends: readonly Send[],
  mayRepeat: number,
): Promise<void> {
  const ids = sends.map(({ answer }) => textAt(readAnswer(answer ?? '').result, 'messageId'));
  const count = async (sql: string): Promise<number> =>
    (await db.rows<{ found: number }>(`SELECT COUNT(*) AS found FROM ${sql}`))[0]?.found ?? -1;
  expect(new Set(ids).size, 'one message for each key').to.equal(sends.length);
  expect(await count('email_message'), 'and no other').to.equal(sends.length);
  expect(await count(`email_message WHERE status = 'sent'`)).to.equal(sends.length);
  expect(await count('(SELECT address FROM email_recipient GROUP BY address HAVING COUNT(*) > 1) AS doubled')).to.equal(
    0,
  );
  expect(await count(`svc_activity WHERE operation = 'email.send'`), 'one audit record each').to.equal(sends.length);
  expect(await count(`svc_event WHERE type = 'email.queued'`), 'one event each').to.equal(sends.length);
  expect(await count(`svc_event WHERE type = 'email.sent'`), 'one end each').to.equal(sends.length);
  expect(await count('email_queue'), 'nothing stuck').to.equal(0);
  const arrivals = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const received of mail.received)
    arrivals.get(headerOf(received, 'X-Svc-Message-Id') ?? '')?.push(received.raw.toString('latin1'));
  expect(
    [...arrivals].filter(([, copies]) => copies.length === 0).map(([id]) => id),
    'all were delivered',
  ).to.deep.equal([]);
  expect(mail.received, 'nothing else was').to.have.length([...arrivals.values()].flat().length);
  const repeated = [...arrivals.values()].filter((copies) => copies.length > 1);
  expect(repeated.length, 'only what was in flight came twice').to.be.at.most(mayRepeat);
  for (const copies of repeated) {
    expect(copies.length).to.be.at.most(1 + mayRepeat / inFlight);
    expect(new Set(copies).size, 'to the octet, Message-ID included').to.equal(1);
  }
}

describe('kill -9 under load', function () {
  this.timeout(120_000);
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
    const start = async (): Promise<NodeProcess> => {
      const node = await startNode(settings);
      closes.push(() => node.kill());
      return node;
    };
    /** A live key for each client: none meets the ceiling of 600 calls a minute. */
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

  it('of the server, twice: no accepted message is lost, no key writes twice, every answer stays', async () => {
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
      expect(load.unanswered, 'the calls that the kill broke off, one for each client').to.deep.equal(
        keys.map(() => 'broken'),
      );
      const held = await db.rows<{ id: Buffer }>('SELECT id FROM email_queue WHERE held = 1');
      claimedAtKill.push(...held.map(({ id }) => idText(id)));
      // The dead process's leases run another half minute by the database's clock. Nobody waits for that here.
      await db.run('UPDATE email_queue SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE held = 1');
      node = await start();
      await settleAll(node, sends);
    }
    await eventually(
      async () => (await db.rows('SELECT id FROM email_queue LIMIT 1')).length === 0,
      'an empty queue',
      30_000,
    );
    await promises(db, mail, sends, 2 * inFlight);
    const count = new Map<string, number>();
    for (const received of mail.received) {
      const id = headerOf(received, 'X-Svc-Message-Id') ?? '';
      count.set(id, (count.get(id) ?? 0) + 1);
    }
    const twice = [...count].filter(([, arrived]) => arrived > 1).map(([id]) => id);
    expect(
      twice.filter((id) => !claimedAtKill.includes(id)),
      'what came twice was in work at a kill',
    ).to.deep.equal([]);
    expect(await node.stop(), node.printed()).to.equal('0');
  });

  it('of the database: the server says that it is unavailable, comes back by itself, and keeps its promises', async () => {
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
    const { mail, start, bearers, look } = await deployment(server.databaseUrl('svc'));
    const node = await start();
    const load = startLoad(node, await bearers(node), 'only', true);
    const moment = within(random, 40, 160);
    await eventually(() => load.answered() >= moment, `${moment} answers`, 30_000);
    await pause(within(random, 0, 40));
    process.kill(server.pid, 'SIGKILL');
    const ready = async (): Promise<number> => (await fetch(`${node.address}/readyz`)).status;
    await eventually(async () => (await ready()) === 503, 'a node that is not ready');
    await eventually(async () => (await ready()) === 200, 'a node that is ready again', 30_000);
    const before = load.answered();
    await eventually(() => load.answered() >= before + 50, '50 answers more', 30_000);
    await load.end();
    // Whatever is no answer and no 503 `unavailable` has ended the load with an error (see call).
    expect(load.unanswered).to.include('unavailable');
    expect(node.ending(), node.printed()).to.equal(undefined);
    await settleAll(node, load.sends);
    const db = await look();
    await eventually(
      async () => {
        // The outcome of what was in delivery could not be recorded, so that its leases run out. A lease that is in use is
        // renewed to 30 s every 5 s: one with 18 s left is nobody's, and the test does not wait for the rest.
        await db.run(
          'UPDATE email_queue SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE held = 1 AND lease_until < NOW(3) + INTERVAL 18 SECOND',
        );
        return (await db.rows('SELECT id FROM email_queue LIMIT 1')).length === 0;
      },
      'an empty queue',
      60_000,
    );
    await promises(db, mail, load.sends, inFlight);
    expect(await node.stop(), node.printed()).to.equal('0');
  });
});
