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
import { call, readAnswer, textAt } from './call.js';
import { attempt, clients, inFlight, keptPromises, settleAll, startLoad, type Send } from './mail-load.js';
import { startNode, type NodeProcess } from './node.js';
import { seeded } from './workload.js';

/** Three servers on this machine that hold the same database, and of which one accepts changes. */
interface Cluster {
  /** For titles: `a Galera cluster`. */
  name: string;
  /**
   * `<n>/pid` has the process of a server and `<n>/start` starts it again; svc / svcpw may create databases. Without a
   * folder, nothing is run.
   */
  folder: string | undefined;
  /** The variable that names the folder. */
  variable: string;
  /** The ports of the servers 1, 2 and 3 follow this one. */
  basePort: number;
  kills: number;
  /** A statement whose only value is 1 on a server that takes part in the cluster. */
  takesPart: string;
}

const members = [1, 2, 3];

/** Kills the primary of a cluster again and again while clients send mail. Call it at the top level of a test file. */
export function killsOfThePrimary({ name, folder: cluster, variable, basePort, kills, takesPart }: Cluster): void {
  const portOf = (member: number): number => basePort + member;

  describe(`kill -9 of the primary of ${name} under load`, function () {
    if (cluster === undefined) {
      it(`was not run: ${variable} names no cluster`);
      return;
    }
    this.timeout(kills * 90_000);
    needProducts('email');
    const closes: (() => Promise<unknown>)[] = [];
    after(async () => {
      for (const close of closes.splice(0).reverse()) await close();
    });

    const isBack = async (member: number): Promise<boolean> => {
      const account = { host: '127.0.0.1', port: portOf(member), user: 'svc', password: 'svcpw' };
      const connection = await createConnection(account).catch(() => undefined);
      if (!connection) return false;
      try {
        const [[state]] = await connection.query<RowDataPacket[]>(takesPart);
        return Object.values(state ?? {})[0] === 1;
      } catch {
        return false;
      } finally {
        connection.destroy();
      }
    };
    const primaryOf = async (node: NodeProcess): Promise<number> => {
      const text = await (await fetch(`${node.address}/metrics`)).text();
      const port = /svc_database_primary\{server="127\.0\.0\.1:(\d+)"\} 1/.exec(text)?.[1];
      return Number(port) - basePort;
    };

    /** A node with a database of its own in the cluster, and keys of its clients. */
    const start = async () => {
      const folder = await mkdtemp(join(tmpdir(), 'svc-fail-over-'));
      closes.push(() => rm(folder, { recursive: true, force: true }));
      const mail = await startSmtpReceiver();
      closes.push(() => mail.close());
      const database = `svc_${randomBytes(6).toString('hex')}`;
      const url = `mysql://svc:svcpw@${members.map((member) => `127.0.0.1:${portOf(member)}`).join(',')}/${database}`;
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
      return { node, mail, bearers, url, database };
    };
    type Started = Awaited<ReturnType<typeof start>>;
    const processOf = async (member: number): Promise<number> =>
      Number(await readFile(join(cluster, String(member), 'pid'), 'utf8'));

    /** Sends a signal to the primary under load, and waits for the next primary and for the return of the former. */
    const loseThePrimary = async (
      node: NodeProcess,
      bearers: readonly string[],
      label: string,
      random: () => number,
      { signal, bringBack }: { signal: NodeJS.Signals; bringBack: (member: number, pid: number) => unknown },
    ): Promise<{ recovery: number; sends: Send[] }> => {
      const load = startLoad(node, bearers, label, true);
      const moment = 40 + Math.floor(random() * 120);
      await eventually(() => load.answered() >= moment, `${moment} answers`, 60_000);
      await pause(random() * 40);
      const lost = await primaryOf(node);
      const pid = await processOf(lost);
      process.kill(pid, signal);
      const lostAt = performance.now();
      const probe: Send = { bearer: bearers[0] ?? '', key: `probe-${label}` };
      let recovery = 0;
      try {
        await eventually(
          async () => {
            const outcome = await attempt(node, probe);
            if (outcome.kind === 'answered') probe.answer = outcome.text;
            return outcome.kind === 'answered';
          },
          'an answer of the next primary',
          60_000,
        );
        recovery = Math.round(performance.now() - lostAt);
        expect(await primaryOf(node)).to.not.equal(lost);
        const before = load.answered();
        await eventually(() => load.answered() >= before + 50, '50 answers more', 60_000);
        await load.end();
      } finally {
        bringBack(lost, pid);
      }
      await eventually(() => isBack(lost), `server ${lost} in the cluster`, 90_000, 250);
      return { recovery, sends: [probe, ...load.sends] };
    };

    /** Everything that was accepted is stored and delivered once, and no answer changes. */
    const checkPromises = async (started: Started, sends: Send[], losses: number): Promise<void> => {
      const { node, mail, url, database } = started;
      await settleAll(node, sends);
      const db = await connectDatabase({ url, poolSize: 2 });
      closes.push(() => db.run(`DROP DATABASE ${database}`).finally(() => db.close()));
      // Leases whose outcome could not be recorded expire after 30 s.
      await eventually(
        // A server that was suspended says that it takes part in the cluster until it notices that it does not.
        async () => (await db.rows('SELECT id FROM email_queue LIMIT 1').catch(() => [null])).length === 0,
        'an empty queue',
        90_000,
      );
      await keptPromises(db, mail, sends, losses * inFlight);
    };

    it(`${kills} times: what was accepted is stored and delivered once, and no answer changes`, async () => {
      const random = seeded(`kill -9 of the primary of ${name}`);
      const started = await start();
      const { node, bearers } = started;
      const sends: Send[] = [];
      const recoveries: number[] = [];
      for (let kill = 0; kill < kills; kill += 1) {
        const loss = await loseThePrimary(node, bearers, `kill-${kill}`, random, {
          signal: 'SIGKILL',
          bringBack: (killed) => execFile(join(cluster, String(killed), 'start')),
        });
        recoveries.push(loss.recovery);
        sends.push(...loss.sends);
      }
      const inOrder = [...recoveries].sort((a, b) => a - b);
      console.log(
        `      recovery in ms: min ${inOrder[0]}, median ${inOrder[Math.floor(kills / 2)]}, max ${inOrder.at(-1)}; ${sends.length} sends`,
      );
      expect(node.ending(), node.printed()).to.equal(undefined);
      await checkPromises(started, sends, kills);
      expect(await node.stop(), node.printed()).to.equal('0');
    });

    it('survives a primary that hangs: what was accepted is stored and delivered once', async () => {
      const started = await start();
      const { node, bearers } = started;
      const { recovery, sends } = await loseThePrimary(node, bearers, 'freeze', seeded(`freeze of ${name}`), {
        signal: 'SIGSTOP',
        bringBack: (_, pid) => process.kill(pid, 'SIGCONT'),
      });
      console.log(`      recovery after a freeze in ms: ${recovery}; ${sends.length} sends`);
      await checkPromises(started, sends, 1);
      expect(await node.stop(), node.printed()).to.equal('0');
    });

    it('answers `unavailable` while the primary has no majority, and goes on when it has one again', async () => {
      const { node, bearers } = await start();
      const [bearer = ''] = bearers;
      const primary = await primaryOf(node);
      const others = await Promise.all(members.filter((member) => member !== primary).map(processOf));
      const sends = Array.from({ length: 20 }, (_, n): Send => ({ bearer, key: `minority-${n}` }));
      for (const other of others) process.kill(other, 'SIGSTOP');
      try {
        for (const send of sends) {
          // `call` fails if an answer takes 20 s.
          const outcome = await attempt(node, send);
          if (outcome.kind === 'answered') send.answer = outcome.text;
        }
        const began = performance.now();
        expect(await attempt(node, { bearer, key: 'at-once' })).to.deep.equal({ kind: 'open', why: 'unavailable' });
        expect(performance.now() - began).to.be.lessThan(2_000);
      } finally {
        for (const other of others) process.kill(other, 'SIGCONT');
      }
      await settleAll(node, sends);
      expect(await node.stop(), node.printed()).to.equal('0');
    });
  });
}
