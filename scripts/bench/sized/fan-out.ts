import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { idBytes } from '#core/runtime/id.js';
import { draftBroadcast } from './broadcast-draft.js';
import { call } from '../call.js';
import { copySeconds } from './copied-rows.js';
import { cpuMs, databasePid, residentMiB } from '../process.js';
import type { Stage } from '../stage.js';

const parts = ['queued', 'held', 'sent', 'failed', 'suppressed', 'cancelled', 'bounced'];

interface Progress {
  readonly recipients: number;
  readonly cancelled: number;
  /** Whether the parts add up to `recipients`. */
  readonly addsUp: boolean;
  readonly isFannedOut: boolean;
  readonly isComplete: boolean;
}

async function progressOf({ database }: Stage, broadcastId: string): Promise<Progress> {
  const [[row]] = await database.query<RowDataPacket[]>(
    `SELECT c.*, b.fanned_out_at, b.completed_at FROM email_broadcast b
     JOIN email_broadcast_count c ON c.broadcast_id = b.id WHERE b.id = ?`,
    [idBytes(broadcastId)],
  );
  const of = (field: string): number => Number(row?.[field] ?? 0);
  return {
    recipients: of('recipients'),
    cancelled: of('cancelled'),
    addsUp: parts.reduce((sum, field) => sum + of(field), 0) === of('recipients'),
    isFannedOut: row !== undefined && row['fanned_out_at'] !== null,
    isComplete: row !== undefined && row['completed_at'] !== null,
  };
}

/**
 * Measures the fan-out of one broadcast, compared with INSERT ... SELECT of the same rows, then a cancel while all of
 * its messages are queued: how long the call takes, how long the background rows take, and whether the counts add up in
 * the meantime.
 */
export async function benchFanOut(stage: Stage, recipients: number, say: (line: string) => void): Promise<void> {
  // It accepts no mail until it gets a signal, so that nothing is delivered during the measurement.
  const sink = await stage.startFloor('mail-sink');
  const { broadcastId, readiness } = await draftBroadcast(stage, recipients);
  say(
    `fan-out to ${recipients} contacts; load ${loadavg()[0]?.toFixed(1) ?? '?'}; readiness ${JSON.stringify(readiness)}`,
  );
  const worker = await stage.startNode({ SVC_ROLE: 'worker', SVC_SMTP_URL: sink.address.replace(/^http/, 'smtp') });
  let [memory, wrong] = [await residentMiB(worker.pid), 0];
  /** Polls the broadcast. @returns seconds until `done` */
  const until = async (done: (progress: Progress) => boolean): Promise<number> => {
    const began = performance.now();
    for (;;) {
      const progress = await progressOf(stage, broadcastId);
      if (!progress.addsUp) wrong += 1;
      if (done(progress)) return (performance.now() - began) / 1_000;
      memory = Math.max(memory, await residentMiB(worker.pid));
      await pause(100);
    }
  };
  const server = await databasePid(stage.database);
  const cpuSeconds = async (): Promise<number> => ((await cpuMs(server)) ?? NaN) / 1_000;
  const cpu = [await cpuSeconds()];
  await call(stage, 'email.broadcast.send', { broadcastId });
  const fannedOut = await until(({ isFannedOut }) => isFannedOut);
  cpu.push(await cpuSeconds());
  say(`fan-out: ${fannedOut.toFixed(1)} s, ${Math.round(recipients / fannedOut)} contacts/s`);
  const copied = await copySeconds(stage);
  cpu.push(await cpuSeconds());
  const [before = NaN, between = NaN, after = NaN] = cpu;
  say(
    `INSERT ... SELECT of the same rows: ${copied.toFixed(1)} s; ratio ${(fannedOut / copied).toFixed(2)} (target ≤ 2); worker ${memory.toFixed(0)} MiB at most`,
  );
  say(
    `CPU time of the database server: ${(between - before).toFixed(1)} s and ${(after - between).toFixed(1)} s; ratio ${((between - before) / (after - between)).toFixed(2)}`,
  );
  const began = performance.now();
  await call(stage, 'email.broadcast.cancel', { broadcastId });
  const answered = (performance.now() - began) / 1_000;
  const finished = await until(({ isComplete }) => isComplete);
  const { cancelled } = await progressOf(stage, broadcastId);
  say(
    `cancel: answered after ${answered.toFixed(2)} s (target ≤ 2); the rows of ${cancelled} messages ${finished.toFixed(1)} s later; worker ${memory.toFixed(0)} MiB at most`,
  );
  say(`counts that did not add up: ${wrong}; load ${loadavg()[0]?.toFixed(1) ?? '?'}`);
  await worker.stop();
  await sink.stop();
}
