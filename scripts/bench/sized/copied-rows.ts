import type { RowDataPacket } from 'mysql2/promise';
import type { Stage } from '../stage.js';

const broadcastTables = ['email_message', 'email_recipient', 'email_queue', 'svc_event'];

/** The last id of each step's rows, and an id above all of them. */
async function stepEnds({ database }: Stage, from: string, steps: number): Promise<Buffer[]> {
  const [rows] = await database.query<(RowDataPacket & { id: Buffer })[]>(
    `SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM ${from}) m WHERE n % ${steps} = 0 ORDER BY id`,
  );
  return [...rows.map(({ id }) => id), Buffer.alloc(16, 0xff)];
}

/**
 * Copies what the fan-out of one broadcast wrote into empty tables of the same form, in transactions with as many rows
 * as its steps.
 * @returns seconds
 */
export async function copySeconds(stage: Stage, steps = 5_000): Promise<number> {
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
