import { generateKeyPairSync } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { RowDataPacket } from 'mysql2/promise';
import { idBytes } from '#core/runtime/id.js';
import { draftBroadcast } from './broadcast-draft.js';
import { signInThread } from '#plugins/email/signing/sign-pool.js';
import { call } from '../call.js';
import { copySeconds } from './copied-rows.js';
import { besideFloor, copyQueued, deliverCopied } from './delivery-rows.js';
import { cpuMs, databasePid, residentMiB } from '../process.js';
import type { Stage } from '../stage.js';

const connections = 8;

/**
 * Sends the same octets repeatedly over pooled connections.
 * @param key signs each in svc's signing threads; undefined for none
 * @returns mails per second, and CPU milliseconds for each
 */
async function rawLoop(port: number, count: number, key: string | undefined): Promise<{ rate: number; cpu: number }> {
  const raw = Buffer.from(
    `From: Shop <hello@shop.example>\r\nTo: person@example.com\r\nSubject: News\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n${'Hello. '.repeat(250)}\r\n`,
  );
  const pool = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: connections,
    maxMessages: 1e9,
    ignoreTLS: true,
  });
  const fieldsOf = (privateKey: string): Promise<string> => {
    const signers = [{ domain: 'shop.example', selector: 'bench', algorithm: 'rsa' as const, privateKey }];
    return signInThread({ raw, signers, at: new Date(), unsigned: [] });
  };
  const before = process.cpuUsage();
  const began = performance.now();
  let left = count;
  const sendAll = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await pool.sendMail({
        envelope: { from: 'hello@shop.example', to: ['person@example.com'] },
        raw: key === undefined ? raw : Buffer.concat([Buffer.from(await fieldsOf(key)), raw]),
      });
    }
  };
  await Promise.all(Array.from({ length: connections }, sendAll));
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  pool.close();
  return { rate: (count * 1_000) / took, cpu: (user + system) / 1_000 / count };
}

/** An RSA-2048 key in the form that SVC_MAIL_DKIM_KEY expects. */
const newKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The same as `benchBroadcasts` with every mail signed, compared with a loop that also signs each in threads. */
export const benchSignedBroadcasts = (stage: Stage, recipients: number, say: (line: string) => void): Promise<void> =>
  benchBroadcasts(stage, recipients, say, newKey());

/**
 * Measures one broadcast: its fan-out compared with INSERT ... SELECT of the same rows, and its delivery into a sink
 * compared with a bare nodemailer loop that sends the same octets.
 * @param key what mail is signed with; undefined for unsigned mail
 */
export async function benchBroadcasts(
  stage: Stage,
  recipients: number,
  say: (line: string) => void,
  key?: string,
): Promise<void> {
  const sink = await stage.startFloor('mail-sink');
  const port = Number(new URL(sink.address).port);
  const { broadcastId, readiness } = await draftBroadcast(stage, recipients);
  say(
    `broadcast of ${recipients} contacts; load ${loadavg()[0]?.toFixed(1) ?? '?'}; readiness ${JSON.stringify(readiness)}`,
  );
  const worker = await stage.startNode({
    SVC_ROLE: 'worker',
    SVC_SMTP_URL: `smtp://127.0.0.1:${port}`,
    ...(key === undefined ? {} : { SVC_MAIL_DKIM_KEY: key }),
  });
  const countsOf = async (): Promise<Record<string, unknown>> => {
    const [[row]] = await stage.database.query<RowDataPacket[]>(
      `SELECT c.sent, b.fanned_out_at AS fannedOut FROM email_broadcast b
       JOIN email_broadcast_count c ON c.broadcast_id = b.id WHERE b.id = ?`,
      [idBytes(broadcastId)],
    );
    return row ?? {};
  };
  const until = async (field: string): Promise<number> => {
    const began = performance.now();
    while (((await countsOf())[field] ?? null) === null) await pause(50);
    return (performance.now() - began) / 1_000;
  };
  await call(stage, 'email.broadcast.send', { broadcastId });
  const fannedOut = await until('fannedOut');
  say(`fan-out: ${fannedOut.toFixed(1)} s, ${Math.round(recipients / fannedOut)} contacts/s`);
  const copied = await copySeconds(stage);
  say(
    `INSERT ... SELECT of the same rows: ${copied.toFixed(1)} s; ratio ${(fannedOut / copied).toFixed(2)} (target ≤ 2)`,
  );
  await copyQueued(stage, 'email');
  process.kill(sink.pid, 'SIGUSR2');
  // Mails that were being submitted to the silent server are retried a minute later, so the last ones are not waited
  // for.
  const wanted = Math.floor(recipients * 0.95);
  const pids = [worker.pid, await databasePid(stage.database), sink.pid];
  const cpuOf = (): Promise<number[]> => Promise.all(pids.map(async (pid) => (await cpuMs(pid)) ?? NaN));
  const cpuBefore = await cpuOf();
  const began = performance.now();
  while (Number((await countsOf())['sent']) < wanted) await pause(50);
  const delivered = (performance.now() - began) / 1_000;
  const rate = wanted / delivered;
  const cpu = (await cpuOf()).map((ms, index) => ((ms - (cpuBefore[index] ?? NaN)) / wanted).toFixed(2));
  say(`worker after delivery: ${(await residentMiB(worker.pid)).toFixed(0)} MiB`);
  await worker.stop();
  const floor = await rawLoop(port, Math.min(recipients, 20_000), key);
  // The floor does not sign.
  if (key === undefined) say(besideFloor(await deliverCopied(stage, `smtp://127.0.0.1:${port}`), rate));
  say(
    `CPU time for a mail: worker ${cpu[0] ?? '?'} ms, database ${cpu[1] ?? '?'}, sink ${cpu[2] ?? '?'}; nodemailer’s loop ${floor.cpu.toFixed(2)} ms`,
  );
  say(
    `delivery: ${delivered.toFixed(1)} s, ${Math.round(rate)} mails/s; nodemailer’s loop of one message ${Math.round(floor.rate)} mails/s; ratio ${(rate / floor.rate).toFixed(2)} (target ≥ 0.6); load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  );
  await sink.stop();
}
