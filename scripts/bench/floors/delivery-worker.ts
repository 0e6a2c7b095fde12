import { createServer } from 'node:http';
import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import {
  bytesLiteral,
  idLiteral,
  insertLiterals,
  numberLiteral,
  textLiteral,
  timeLiteral,
  type Literal,
} from '#core/runtime/database/literal.js';
import { type SqlValue, joined, type Statement } from '#core/runtime/database/statement.js';
import { idText, newId } from '#core/runtime/id.js';
import { floorDatabase } from './bare-server.js';
import { channelTo, type Channel, type DueRow } from './delivery-channels.js';

/*
 * The minimum cost of delivering a broadcast if each message is a row that survives a crash: claim, check who may get
 * it, render, submit and record the same rows as svc in batches, in separate tables (sized/delivery-rows.ts). No
 * fairness between environments, no limits, no retries, no pause or cancel, one check.
 */

const batchSize = 200;
const database = floorDatabase();

/** Runs statements in one round trip. @returns the rows of each */
async function run<R extends RowDataPacket>(
  connection: PoolConnection,
  statements: readonly Statement[],
): Promise<R[][]> {
  const { sql, parameters } = joined(statements);
  const [rows] = await connection.query<R[][]>(sql, [...parameters]);
  return rows;
}
const plain = (sql: string, ...parameters: SqlValue[]): Statement => ({ sql, parameters });
const listOf = (ids: readonly Buffer[]): string => ids.map(bytesLiteral).join();

async function withConnection<T>(work: (connection: PoolConnection) => Promise<T>): Promise<T> {
  const connection = await database.getConnection();
  try {
    return await work(connection);
  } finally {
    connection.release();
  }
}

/** Claims due messages and reads the ones whose recipients may get them. */
const claim = ({ name, columns }: Channel): Promise<DueRow[]> =>
  withConnection(async (connection) => {
    const [, found = []] = await run<RowDataPacket & { id: Buffer }>(connection, [
      plain('START TRANSACTION'),
      plain(
        `SELECT id FROM floor_${name}_queue FORCE INDEX (claim) WHERE leased = 0 LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`,
      ),
    ]);
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) {
      await connection.query('COMMIT');
      return [];
    }
    const [, , rows = []] = await run<DueRow>(connection, [
      plain(
        `UPDATE floor_${name}_queue FORCE INDEX (PRIMARY) SET leased = 1, lease_token = ${idLiteral(newId())}, lease_until = NOW(3) + INTERVAL 30 SECOND, attempts = attempts + 1 WHERE id IN (${listOf(ids)})`,
      ),
      plain('COMMIT'),
      plain(
        `SELECT m.id, m.environment_id, m.broadcast_id, m.contact_id, r.address, c.first_name, m.created_at
         FROM floor_${name}_message m JOIN floor_${name}_recipient r ON r.message_id = m.id
         JOIN audience_contact c ON c.environment_id = m.environment_id AND ${columns.key} = r.address_key
         WHERE m.id IN (${listOf(ids)})
           AND NOT EXISTS (SELECT 1 FROM audience_suppression s WHERE s.environment_id = m.environment_id AND s.channel = '${name}'
             AND s.address_digest = ${columns.digest} AND s.active = 1)
           AND EXISTS (SELECT 1 FROM audience_consent k WHERE k.contact_id = c.id AND k.channel = '${name}' AND k.topic = m.topic
             AND k.environment_id = m.environment_id AND k.state = 'granted')`,
      ),
    ]);
    return rows;
  });

interface Outcome {
  readonly row: DueRow;
  readonly text: string;
  readonly answer: string;
  readonly durationMs: number;
}

let position = 0;

/** The event of a message that was sent, as it is stored in svc_event. */
function eventOf(name: string, { row, text }: Outcome, at: Date): Literal[] {
  const id = idText(row.id);
  const nothing = { system: false, template: 'bench', templateVersion: 1, templateLocale: 'en', automationId: null };
  const message = { messageId: id, status: 'sent', ...nothing, to: row.address, from: null, body: text.slice(0, 300) };
  const times = { sendAfter: null, sentAt: at, createdAt: row.created_at, tags: {}, contactId: idText(row.contact_id) };
  const broadcast = { broadcastId: idText(row.broadcast_id), topic: 'bench', price: null, error: null };
  position += 1;
  return [
    idLiteral(newId()),
    bytesLiteral(row.environment_id),
    textLiteral(`${name}.sent`),
    textLiteral('message'),
    textLiteral(id),
    bytesLiteral(row.contact_id),
    textLiteral(JSON.stringify({ message: { ...message, ...times, ...broadcast } })),
    numberLiteral(0),
    numberLiteral(0),
    numberLiteral(position),
    timeLiteral(at),
  ];
}
const eventColumns = [
  'id',
  'environment_id',
  'type',
  'subject_type',
  'subject_id',
  'person_id',
  'data',
  'lane',
  'direct',
  'position',
  'created_at',
];

async function record({ name, rendered }: Channel, outcomes: readonly Outcome[]): Promise<void> {
  const [first] = outcomes;
  if (!first) return;
  const ids = listOf(outcomes.map(({ row }) => row.id));
  const at = new Date();
  const attempts = outcomes.map(({ row, answer, durationMs }) => [
    bytesLiteral(row.id),
    numberLiteral(1),
    timeLiteral(at),
    textLiteral('sent'),
    textLiteral(answer.slice(0, 500)),
    numberLiteral(durationMs),
  ]);
  const recipients = outcomes.map(({ row, answer }) => [
    bytesLiteral(row.id),
    numberLiteral(0),
    bytesLiteral(row.environment_id),
    textLiteral(row.address),
    textLiteral(row.address),
    textLiteral('sent'),
    textLiteral(answer.slice(0, 500)),
    timeLiteral(at),
  ]);
  const upsert = insertLiterals(
    `floor_${name}_recipient`,
    ['message_id', 'position', 'environment_id', 'address', 'address_key', 'status', 'response', 'ended_at'],
    recipients,
  );
  await withConnection(async (connection) => {
    await run(connection, [
      plain('START TRANSACTION'),
      plain(
        `SELECT id, lease_token FROM floor_${name}_queue FORCE INDEX (PRIMARY) WHERE id IN (${ids}) ORDER BY id FOR UPDATE`,
      ),
    ]);
    await run(connection, [
      insertLiterals(
        `floor_${name}_attempt`,
        ['message_id', 'attempt', 'at', 'status', 'response', 'duration_ms'],
        attempts,
      ),
      {
        sql: `${upsert.sql} ON DUPLICATE KEY UPDATE status = VALUES(status), response = VALUES(response), ended_at = VALUES(ended_at)`,
        parameters: upsert.parameters,
      },
      plain(`DELETE FROM floor_${name}_queue WHERE id IN (${ids})`),
      {
        sql: `UPDATE floor_${name}_message SET ?, status = 'sent', sent_at = ?, ended_at = ? WHERE id IN (${ids})`,
        parameters: [{ toSqlString: () => rendered(outcomes) }, at, at],
      },
      insertLiterals(
        'floor_svc_event',
        eventColumns,
        outcomes.map((each) => eventOf(name, each, at)),
      ),
      plain(
        `UPDATE floor_${name}_broadcast_count SET queued = queued - ?, sent = sent + ? WHERE broadcast_id = ?`,
        outcomes.length,
        outcomes.length,
        first.row.broadcast_id,
      ),
      plain('COMMIT'),
    ]);
  });
}

/** Delivers everything that is queued. The next batch is claimed while one is submitted and another is recorded. */
async function deliverAll(channel: Channel): Promise<number> {
  let recording: Promise<void> = Promise.resolve();
  let delivered = 0;
  for (let next = claim(channel); ;) {
    const rows = await next;
    if (rows.length === 0) break;
    next = claim(channel);
    const outcomes: Outcome[] = [];
    const left = [...rows];
    const submitNext = async (): Promise<void> => {
      for (let row = left.pop(); row; row = left.pop()) {
        const text = channel.render(row);
        const began = performance.now();
        const answer = await channel.submit(row, text);
        outcomes.push({ row, text, answer, durationMs: Math.round(performance.now() - began) });
      }
    };
    await Promise.all(Array.from({ length: channel.concurrency }, submitNext));
    await recording;
    recording = record(channel, outcomes);
    delivered += outcomes.length;
  }
  await recording;
  return delivered;
}

const channel = channelTo(new URL(process.env['BENCH_TARGET'] ?? ''));
const server = createServer((_, response) => {
  deliverAll(channel).then(
    (delivered) => response.end(JSON.stringify({ delivered })),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  const bound = server.address();
  process.stdout.write(`address http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}\n`);
});
process.on('SIGTERM', () => process.exit(0));
