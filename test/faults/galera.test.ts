import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { startSmtpReceiver } from '#test/support/smtp-receiver.js';
import { call, readAnswer, textAt } from './support/call.js';
import { attempt, clients, inFlight, keptPromises, settleAll, startLoad, type Send } from './support/mail-load.js';
import { startNode, type NodeProcess } from './support/node.js';
import { seeded } from './support/workload.js';

/**
 * The folder of a Galera cluster of three nodes on 127.0.0.1:3361, 3362 and 3363: `<n>/pid` has the process of a node,
 * `<n>/start` starts it again, `<n>/sock` is its socket, and svc / svcpw may create databases.
 */
const cluster = process.env['SVC_TEST_GALERA'];
const kills = Number(process.env['SVC_TEST_GALERA_KILLS'] ?? 20);
const members = [1, 2, 3];
const portOf = (member: number): number => 3360 + member;

describe('kill -9 of the primary of a Galera cluster under load', function () {
  if (cluster === undefined) {
    it('was not run: SVC_TEST_GALERA names no cluster');
    return;
  }
  this.timeout(kills * 90_000);
  needProducts('email');
  const closes: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });

  const isSynced = async (member: number): Promise<boolean> => {
    const connection = await createConnection({
      host: '127.0.0.1',
      port: portOf(member),
      user: 'svc',
      password: 'svcpw',
    }).catch(() => undefined);
    if (!connection) return false;
    try {
      const [[state]] = await connection.query<RowDataPacket[]>("SHOW STATUS LIKE 'wsrep_local_state_comment'");
      return state?.['Value'] === 'Synced';
    } catch {
      return false;
    } finally {
      connection.destroy();
    }
  };
  const primaryOf = async (node: NodeProcess): Promise<number> => {
    const text = await (await fetch(`${node.address}/metrics`)).text();
    const port = /svc_database_primary\{server="127\.0\.0\.1:(\d+)"\} 1/.exec(text)?.[1];
    return Number(port) - 3360;
  };

  it(`${kills} times: what was accepted is stored and delivered once, and no answer changes`, async () => {
    const random = seeded('kill -9 of a Galera primary');
    const folder = await mkdtemp(join(tmpdir(), 'svc-galera-'));
    closes.push(() => rm(folder, { recursive: true, force: true }));
    const mail = await startSmtpReceiver();
    closes.push(() => mail.close());
    const name = `svc_${randomBytes(6).toString('hex')}`;
    const url = `mysql://svc:svcpw@${members.map((member) => `127.0.0.1:${portOf(member)}`).join(',')}/${name}`;
    const node = await startNode({
      SVC_PORT: '0',
      SVC_STATE_DIR: folder,
      SVC_DATABASE_URL: url,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_SMTP_URL: mail.url,
      SVC_LOG_LEVEL: 'warn',
    });
    closes.push(() => node.kill());
    const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
    const first = textAt(facts, 'keys', 'live', 'secret');
    const bearers: string[] = [];
    while (bearers.length < clients) {
      const input = { name: `Client ${bearers.length}`, permissions: ['email:write'] };
      const outcome = await call(node.address, first, { operation: 'developers.key.create', input });
      bearers.push(textAt(readAnswer(outcome.kind === 'answered' ? outcome.text : '').result, 'plaintext'));
    }
    const [prober = ''] = bearers;
    const sends: Send[] = [];
    const recoveries: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const load = startLoad(node, bearers, `kill-${kill}`, true);
      const moment = 40 + Math.floor(random() * 120);
      await eventually(() => load.answered() >= moment, `${moment} answers`, 60_000);
      await pause(random() * 40);
      const killed = await primaryOf(node);
      process.kill(Number(await readFile(join(cluster, String(killed), 'pid'), 'utf8')), 'SIGKILL');
      const killedAt = performance.now();
      const probe: Send = { bearer: prober, key: `probe-${kill}` };
      await eventually(
        async () => {
          const outcome = await attempt(node, probe);
          if (outcome.kind === 'answered') probe.answer = outcome.text;
          return outcome.kind === 'answered';
        },
        'an answer of the next primary',
        60_000,
      );
      recoveries.push(Math.round(performance.now() - killedAt));
      const before = load.answered();
      await eventually(() => load.answered() >= before + 50, '50 answers more', 60_000);
      await load.end();
      sends.push(probe, ...load.sends);
      execFile(join(cluster, String(killed), 'start'));
      await eventually(() => isSynced(killed), `node ${killed} in the cluster`, 90_000, 250);
    }
    const inOrder = [...recoveries].sort((a, b) => a - b);
    console.log(
      `      recovery in ms: min ${inOrder[0]}, median ${inOrder[Math.floor(kills / 2)]}, max ${inOrder.at(-1)}; ${sends.length} sends`,
    );
    expect(node.ending(), node.printed()).to.equal(undefined);
    await settleAll(node, sends);
    const db = await connectDatabase({ url, poolSize: 2 });
    closes.push(() => db.run(`DROP DATABASE ${name}`).finally(() => db.close()));
    // Leases whose outcome could not be recorded expire after 30 s.
    await eventually(
      async () => (await db.rows('SELECT id FROM email_queue LIMIT 1')).length === 0,
      'an empty queue',
      90_000,
    );
    await keptPromises(db, mail, sends, kills * inFlight);
    expect(await node.stop(), node.printed()).to.equal('0');
  });
});
