import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { RowDataPacket } from 'mysql2/promise';
import { idBytes } from '#core/runtime/id.js';
import { call } from './call.js';
import { isRecord } from './json.js';
import { cpuMs, residentMiB } from './process.js';
import type { Stage } from './stage.js';
import { addSubscribers } from './subscribers.js';

const connections = 8;

const broadcastTables = ['email_message', 'email_recipient', 'email_queue', 'svc_event'];

/** The last id of each step's rows, and one above all. */
async function stepEnds({ database }: Stage, from: string, steps: number): Promise<Buffer[]> {
  const [rows] = await database.query<(RowDataPacket & { id: Buffer })[]>(
    `SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM ${from}) m WHERE n % ${steps} = 0 ORDER BY id`,
  );
  return [...rows.map(({ id }) => id), Buffer.alloc(16, 0xff)];
}

/** Copies what the fan-out wrote into empty tables of the same form, in transactions of as many rows. @returns seconds */
async function copySeconds(stage: Stage, steps: number): Promise<number> {
  const { database } = stage;
  for (const table of broadcastTables) await database.query(`CREATE TABLE bench_${table} LIKE ${table}`);
  const messageEnds = await stepEnds(stage, 'email_message', steps);
  const eventEnds = await stepEnds(stage, "svc_event WHERE type = 'email.queued'", steps);
  const began = performance.now();
  let [message, event] = [Buffer.alloc(16), Buffer.alloc(16)];
  for (const [index, upTo] of messageEnds.entries()) {
    const connection = await database.getConnection();
    await connection.query('START TRANSACTION');
    const copy = async (table: string, key: string, range: readonly Buffer[]): Promise<void> => {
      await connection.query(
        `INSERT INTO bench_${table} SELECT * FROM ${table} FORCE INDEX (PRIMARY) WHERE ${key} > ? AND ${key} <= ?`,
        [...range],
      );
    };
    const eventEnd = eventEnds[index] ?? Buffer.alloc(16, 0xff);
    await copy('email_message', 'id', [message, upTo]);
    await copy('email_recipient', 'message_id', [message, upTo]);
    await copy('email_queue', 'id', [message, upTo]);
    await copy('svc_event', 'id', [event, eventEnd]);
    await connection.query('COMMIT');
    connection.release();
    [message, event] = [Buffer.from(upTo), Buffer.from(eventEnd)];
  }
  return (performance.now() - began) / 1_000;
}

/** Sends the same octets again and again over pooled connections. @returns mails per second, and CPU milliseconds for each */
async function rawLoop(port: number, count: number): Promise<{ rate: number; cpu: number }> {
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
  const before = process.cpuUsage();
  const began = performance.now();
  let left = count;
  const sendAll = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await pool.sendMail({ envelope: { from: 'hello@shop.example', to: ['person@example.com'] }, raw });
    }
  };
  await Promise.all(Array.from({ length: connections }, sendAll));
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  pool.close();
  return { rate: (count * 1_000) / took, cpu: (user + system) / 1_000 / count };
}

/** The process of the database server, where it runs on this machine; else 0. */
async function databasePid({ database }: Stage): Promise<number> {
  const [[row]] = await database.query<(RowDataPacket & { file: string })[]>('SELECT @@pid_file AS file');
  return Number(await readFile(row?.file ?? '', 'utf8').catch(() => '0'));
}

/**
 * Measures one broadcast: its fan-out beside INSERT ... SELECT of the same rows, and its delivery into a sink beside a bare loop of
 * nodemailer that sends the same octets.
 */
export async function benchBroadcasts(stage: Stage, recipients: number, say: (line: string) => void): Promise<void> {
  const sink = await stage.startFloor('mail-sink');
  const port = Number(new URL(sink.address).port);
  await addSubscribers(stage, 'email', recipients);
  await call(stage, 'audience.topic.create', { key: 'bench', name: 'Bench' });
  await call(stage, 'email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
  const { ownAddress } = await call(stage, 'email.sender.get', {});
  const text = `Hello {{ contact.firstName }}. ${'Hello. '.repeat(230)}{{ preferencesUrl }} {{ legalAddress }}`;
  await call(stage, 'email.template.draft.save', { template: 'bench', locales: { en: { subject: 'News', text } } });
  await call(stage, 'email.template.publish', { template: 'bench' });
  const input = { name: 'Bench', template: 'bench', topic: 'bench', from: ownAddress };
  const { broadcast, readiness } = await call(stage, 'email.broadcast.create', input);
  const broadcastId = isRecord(broadcast) ? broadcast['id'] : '';
  say(
    `broadcast of ${recipients} contacts; load ${loadavg()[0]?.toFixed(1) ?? '?'}; readiness ${JSON.stringify(readiness)}`,
  );
  const worker = await stage.startNode({ SVC_ROLE: 'worker', SVC_SMTP_URL: `smtp://127.0.0.1:${port}` });
  const countsOf = async (): Promise<Record<string, unknown>> => {
    const [[row]] = await stage.database.query<RowDataPacket[]>(
      `SELECT c.sent, b.fanned_out_at AS fannedOut FROM email_broadcast b
       JOIN email_broadcast_count c ON c.broadcast_id = b.id WHERE b.id = ?`,
      [idBytes(String(broadcastId))],
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
  const copied = await copySeconds(stage, 5_000);
  say(
    `INSERT ... SELECT of the same rows: ${copied.toFixed(1)} s; ratio ${(fannedOut / copied).toFixed(2)} (target ≤ 2)`,
  );
  process.kill(sink.pid, 'SIGUSR2');
  // Those that were being handed over to the silent server are tried again a minute later, so the last ones are not waited for.
  const wanted = Math.floor(recipients * 0.95);
  const pids = [worker.pid, await databasePid(stage), sink.pid];
  const cpuOf = (): Promise<number[]> => Promise.all(pids.map(async (pid) => (await cpuMs(pid)) ?? NaN));
  const cpuBefore = await cpuOf();
  const began = performance.now();
  while (Number((await countsOf())['sent']) < wanted) await pause(50);
  const delivered = (performance.now() - began) / 1_000;
  const rate = wanted / delivered;
  const cpu = (await cpuOf()).map((ms, index) => ((ms - (cpuBefore[index] ?? NaN)) / wanted).toFixed(2));
  say(`worker after delivery: ${(await residentMiB(worker.pid)).toFixed(0)} MiB`);
  await worker.stop();
  const floor = await rawLoop(port, Math.min(recipients, 20_000));
  say(
    `CPU time for a mail: worker ${cpu[0] ?? '?'} ms, database ${cpu[1] ?? '?'}, sink ${cpu[2] ?? '?'}; nodemailer’s loop ${floor.cpu.toFixed(2)} ms`,
  );
  say(
    `delivery: ${delivered.toFixed(1)} s, ${Math.round(rate)} mails/s; nodemailer’s loop of one message ${Math.round(floor.rate)} mails/s; ratio ${(rate / floor.rate).toFixed(2)} (target ≥ 0.6); load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  );
  await sink.stop();
}
