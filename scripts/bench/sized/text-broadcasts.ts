import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { RowDataPacket } from 'mysql2/promise';
import { idBytes } from '#core/runtime/id.js';
import { exampleRegistration } from '#plugins/sms/registration-data/resources.js';
import { call } from '../call.js';
import { isRecord } from '../json.js';
import { cpuMs, databasePid, residentMiB } from '../process.js';
import type { Stage } from '../stage.js';
import { besideFloor, copyQueued, deliverCopied } from './delivery-rows.js';
import { addSubscribers } from './subscribers.js';

const body = 'Hello Ada. The winter sale has begun: 20 % off everything until Sunday.';
/** The number that svc submits concurrently (plugins/sms/delivery/queue.ts). */
const connections = 24;

/**
 * Posts the same text repeatedly, as Twilio’s interface expects it. @returns texts per second, and CPU milliseconds for
 * each
 */
async function bareLoop(address: string, count: number): Promise<{ rate: number; cpu: number }> {
  const pool = new Pool(address, { connections });
  const form = new URLSearchParams({ To: '+4915123450000', From: '+15005550006', Body: body }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Basic QUM6dG9rZW4=' };
  const before = process.cpuUsage();
  const began = performance.now();
  let left = count;
  const sendAll = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const answer = await pool.request({ method: 'POST', path: '/Messages.json', headers, body: form });
      await answer.body.json();
    }
  };
  await Promise.all(Array.from({ length: connections }, sendAll));
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  await pool.close();
  return { rate: (count * 1_000) / took, cpu: (user + system) / 1_000 / count };
}

/**
 * Measures the delivery of one broadcast of texts to a provider that accepts everything, compared with a bare undici
 * loop to the same provider.
 */
export async function benchTextBroadcasts(
  stage: Stage,
  recipients: number,
  say: (line: string) => void,
): Promise<void> {
  const sink = await stage.startFloor('text-sink');
  await addSubscribers(stage, 'sms', recipients);
  await call(stage, 'audience.topic.create', { key: 'bench', name: 'Bench' });
  await call(stage, 'sms.number.assign', { country: 'US' });
  const { taxId: _taxId, ...filed } = exampleRegistration.filed;
  await call(stage, 'sms.registration.submit', filed);
  const template = body.replace('Ada', '{{ contact.firstName }}');
  await call(stage, 'sms.template.draft.save', { template: 'bench', locales: { en: { body: template } } });
  await call(stage, 'sms.template.publish', { template: 'bench' });
  const input = { name: 'Bench', template: 'bench', topic: 'bench' };
  const { broadcast, readiness } = await call(stage, 'sms.broadcast.create', input);
  const broadcastId = isRecord(broadcast) ? broadcast['id'] : '';
  say(
    `broadcast of ${recipients} texts; load ${loadavg()[0]?.toFixed(1) ?? '?'}; readiness ${JSON.stringify(readiness)}`,
  );
  const worker = await stage.startNode({
    SVC_ROLE: 'worker',
    SVC_SMS_URL: `twilio://AC${'0'.repeat(32)}:token@api.twilio.com?api=${sink.address}`,
    SVC_SMS_ALLOWED_COUNTRIES: 'DE',
    SVC_OUTBOUND_ALLOW: '127.0.0.0/8',
  });
  const countsOf = async (): Promise<Record<string, unknown>> => {
    const [[row]] = await stage.database.query<RowDataPacket[]>(
      `SELECT c.sent, b.fanned_out_at AS fannedOut FROM sms_broadcast b
       JOIN sms_broadcast_count c ON c.broadcast_id = b.id WHERE b.id = ?`,
      [idBytes(String(broadcastId))],
    );
    return row ?? {};
  };
  await call(stage, 'sms.broadcast.send', { broadcastId });
  while (((await countsOf())['fannedOut'] ?? null) === null) await pause(50);
  await copyQueued(stage, 'sms');
  process.kill(sink.pid, 'SIGUSR2');
  // Texts that had waited too long for the silent provider are retried later, so the last ones are not waited for.
  const wanted = Math.floor(recipients * 0.95);
  const pids = [worker.pid, await databasePid(stage.database)];
  const cpuOf = (): Promise<number[]> => Promise.all(pids.map(async (pid) => (await cpuMs(pid)) ?? NaN));
  const cpuBefore = await cpuOf();
  const began = performance.now();
  while (Number((await countsOf())['sent']) < wanted) await pause(50);
  const seconds = (performance.now() - began) / 1_000;
  const cpu = (await cpuOf()).map((ms, index) => ((ms - (cpuBefore[index] ?? NaN)) / wanted).toFixed(2));
  say(`worker after delivery: ${(await residentMiB(worker.pid)).toFixed(0)} MiB`);
  await worker.stop();
  const floor = await bareLoop(sink.address, Math.min(recipients, 20_000));
  const rate = wanted / seconds;
  say(besideFloor(await deliverCopied(stage, sink.address), rate));
  say(
    `CPU time for a text: worker ${cpu[0] ?? '?'} ms, database ${cpu[1] ?? '?'}; undici’s loop ${floor.cpu.toFixed(2)} ms`,
  );
  say(
    `delivery: ${seconds.toFixed(1)} s, ${Math.round(rate)} texts/s; undici’s loop of one text ${Math.round(floor.rate)} texts/s; ratio ${(rate / floor.rate).toFixed(2)} (target ≥ 0.5); load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  );
  await sink.stop();
}
