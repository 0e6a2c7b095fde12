import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, RowDataPacket } from 'mysql2/promise';
import { idBytes } from '#core/runtime/id.js';
import type { Bench, Round } from '../bench.js';
import { call } from '../call.js';
import { benchEnvironment, commit, contactStatements, people } from '../floors/contact-rows.js';
import { isRecord } from '../json.js';
import type { Stage } from '../stage.js';

const most = 50_000;
const perStatement = 500;

async function number(database: Pool, sql: string, values: readonly Buffer[] = []): Promise<number> {
  const [[row]] = await database.query<(RowDataPacket & { found: number })[]>(sql, [...values]);
  return row?.found ?? Number.NaN;
}

/** Runs one import and measures the time from the call until its last row is written. */
async function importOf(stage: Stage, topic: string | undefined, count: number): Promise<Round> {
  const { database } = stage;
  const contacts = people(count, topic !== undefined);
  const consents = topic === undefined ? [] : [{ topic, channel: 'email', source: 'trade fair' }];
  const began = performance.now();
  const { import: accepted } = await call(stage, 'audience.contact.import', { contacts, consents });
  const id = isRecord(accepted) && typeof accepted['id'] === 'string' ? accepted['id'] : '';
  const created = 'SELECT created AS found FROM audience_import WHERE id = ?';
  const open = "SELECT COUNT(*) AS found FROM audience_import WHERE id = ? AND status IN ('queued', 'running')";
  while ((await number(database, open, [idBytes(id)])) > 0) await pause(10);
  const ms = performance.now() - began;
  if ((await number(database, created, [idBytes(id)])) !== count)
    throw new Error('An import did not create every row.');
  // Its events must be fanned out before the other side runs, because both use the same cores.
  while ((await number(database, 'SELECT COUNT(*) AS found FROM svc_event WHERE pending = 1')) > 0) await pause(20);
  return { count, perSecond: (count * 1_000) / ms, p50: ms, p99: ms };
}

/**
 * Inserts the same rows as fast as a plain loop can: multi-row INSERTs of 500 contacts per transaction, without
 * lookups.
 */
async function insertLoop(database: Pool, rich: boolean, ms: number): Promise<Round> {
  const environment = await benchEnvironment(database);
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < ms) {
    await commit(database, contactStatements(environment, people(perStatement, rich), rich));
    count += perStatement;
  }
  const took = performance.now() - began;
  return { count, perSecond: (count * 1_000) / took, p50: took, p99: took };
}

/**
 * Imported rows per second in a worker process, events included. @param rich whether each row has ten properties and a
 * consent
 */
const importBench = (name: string, rich: boolean, target: number, wanted: number): Bench => ({
  name,
  target,
  async prepare(stage) {
    const worker = await stage.startNode({ SVC_ROLE: 'worker' });
    const topic = rich ? 'bench' : undefined;
    if (topic !== undefined) await call(stage, 'audience.topic.create', { key: topic, name: 'Bench' });
    let rate = 2_000;
    const seen: number[] = [];
    const round = async (ms: number): Promise<Round> => {
      const rows = Math.min(most, Math.max(2, Math.round((rate * ms) / 1_000 / perStatement)) * perStatement);
      const found = await importOf(stage, topic, rows);
      rate = found.perSecond;
      return found;
    };
    await round(2_000);
    await insertLoop(stage.database, rich, 1_000);
    return {
      svc: {
        words: rich
          ? 'imported rows with ten properties, a consent and two events each'
          : 'imported rows without properties, with one event each',
        pid: worker.pid,
        async round(ms) {
          const found = await round(ms);
          seen.push(found.perSecond);
          return found;
        },
      },
      floor: {
        words: 'mysql2: multi-row INSERTs of the same rows, 500 contacts per transaction',
        pid: process.pid,
        round: (ms) => insertLoop(stage.database, rich, ms),
      },
      notes: () => Promise.resolve([`${name}: best round ${Math.round(Math.max(...seen))} rows/s (target ${wanted})`]),
      close: () => worker.stop(),
    };
  },
});

export const importRich = importBench('import', true, 0.85, 5_000);
export const importPlain = importBench('import-plain', false, 0.75, 15_000);
