import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { Pool } from 'undici';
import { type SqlValue, insertInto, joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { floorDatabase } from './bare-server.js';

/*
 * The minimum cost of delivering events if each delivery is a row that survives a crash: fan out, claim, sign, post and
 * record the same rows as svc, in batches of 500, in separate tables. No fairness, no limits, no retries, no health of
 * endpoints.
 */

const batchSize = 500;
const connectionsPerEndpoint = 16;
const [queue, deliveries] = ['bench_webhook_queue', 'bench_delivery'];
const database = floorDatabase();

interface EndpointRow extends RowDataPacket {
  id: Buffer;
  environment_id: Buffer;
  url: Buffer;
}
interface EventRow extends RowDataPacket {
  id: Buffer;
  environment_id: Buffer;
  type: Buffer;
}
interface DueRow extends RowDataPacket {
  id: Buffer;
  environment_id: Buffer;
  endpoint_id: Buffer;
  event_id: Buffer;
  type: Buffer;
  subject_type: Buffer;
  subject_id: Buffer;
  data: string;
  created_at: Date;
}
interface Answer {
  status: number;
  headers: string;
  body: Buffer;
  durationMs: number;
  signedAt: number;
  signature: Buffer;
}

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

async function withConnection<T>(work: (connection: PoolConnection) => Promise<T>): Promise<T> {
  const connection = await database.getConnection();
  try {
    return await work(connection);
  } finally {
    connection.release();
  }
}

/** Queues a delivery for each event after `after` and endpoint. @returns the number of deliveries */
async function fanOut(endpoints: readonly EndpointRow[], after: Buffer): Promise<number> {
  const environments = [
    ...new Map(endpoints.map((each) => [each.environment_id.toString('hex'), each.environment_id])).values(),
  ];
  const [events] = await database.query<EventRow[]>(
    'SELECT id, environment_id, type FROM svc_event WHERE environment_id IN (?) AND id > ? AND pending IS NULL',
    [environments, after],
  );
  const pairs = events.flatMap((event) =>
    endpoints.flatMap((endpoint) =>
      endpoint.environment_id.equals(event.environment_id) ? [{ event, endpoint }] : [],
    ),
  );
  for (let from = 0; from < pairs.length; from += batchSize) {
    const now = new Date();
    const rows = pairs.slice(from, from + batchSize).map((pair) => ({ ...pair, id: idBytes(newId()) }));
    await withConnection((connection) =>
      run(connection, [
        plain('START TRANSACTION'),
        insertInto(
          deliveries,
          rows.map(({ id, event, endpoint }) => ({
            id,
            environment_id: event.environment_id,
            endpoint_id: endpoint.id,
            event_id: event.id,
            event_type: event.type,
            chain_id: id,
            attempt: 1,
            status: Buffer.from('queued'),
            replay_of: null,
            scheduled_at: now,
          })),
        ),
        insertInto(
          queue,
          rows.map(({ id, endpoint }) => ({
            id,
            partition_id: endpoint.id,
            lane: 1,
            due_at: now,
            attempts: 0,
            leased: 0,
          })),
        ),
        plain('COMMIT'),
      ]),
    );
  }
  return pairs.length;
}

/** Claims due rows and reads what their attempts need. */
const claim = (): Promise<DueRow[]> =>
  withConnection(async (connection) => {
    const [, ids = []] = await run<RowDataPacket & { id: Buffer }>(connection, [
      plain('START TRANSACTION'),
      plain(
        `SELECT id FROM ${queue} FORCE INDEX (claim) WHERE leased = 0 AND lane = 1 LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`,
      ),
    ]);
    if (ids.length === 0) {
      await connection.query('COMMIT');
      return [];
    }
    const keys = ids.map(({ id }) => id);
    const [, , rows = []] = await run<DueRow>(connection, [
      {
        sql: `UPDATE ${queue} FORCE INDEX (PRIMARY) SET leased = 1, lease_token = ?, lease_until = NOW(3) + INTERVAL 30 SECOND, attempts = attempts + 1 WHERE id IN (${keys.map(() => '?').join()})`,
        parameters: [idBytes(newId()), ...keys],
      },
      plain('COMMIT'),
      {
        sql: `SELECT d.id, d.environment_id, d.endpoint_id, d.event_id, v.type, v.subject_type, v.subject_id, v.data, v.created_at
          FROM ${deliveries} d JOIN svc_event v ON v.id = d.event_id WHERE d.id IN (${keys.map(() => '?').join()})`,
        parameters: keys,
      },
    ]);
    return rows;
  });

const pools = new Map<string, { pool: Pool; path: string }>();

function post({ pool, path }: { pool: Pool; path: string }, row: DueRow): Promise<Answer> {
  const body = `{"id":"${idText(row.event_id)}","type":"${row.type.toString()}","createdAt":"${row.created_at.toISOString()}","environmentId":"${idText(row.environment_id)}","subject":{"type":"${row.subject_type.toString()}","id":"${row.subject_id.toString()}"},"data":${row.data}}`;
  const signedAt = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', 'svc_wh_bench').update(`${signedAt}.${body}`).digest();
  const headers = {
    'content-type': 'application/json',
    'svc-event-id': idText(row.event_id),
    'svc-delivery-id': idText(row.id),
    'svc-signature': `t=${signedAt},v1=${signature.toString('hex')}`,
  };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    let [status, received] = [0, ''];
    const chunks: Buffer[] = [];
    pool.dispatch(
      { path, method: 'POST', headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart(_, code, incoming) {
          status = code;
          received = JSON.stringify(incoming);
        },
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () =>
          resolve({
            status,
            headers: received,
            body: Buffer.concat(chunks),
            durationMs: Math.round(performance.now() - began),
            signedAt,
            signature,
          }),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

const attempted = [
  'status',
  'signed_at',
  'signature',
  'url',
  'response_status',
  'response_headers',
  'response_body',
  'duration_ms',
  'attempted_at',
];

async function record(outcomes: readonly { row: DueRow; answer: Answer; url: string }[]): Promise<void> {
  const ids = outcomes.map(({ row }) => row.id);
  const marks = ids.map(() => '?').join();
  const now = new Date();
  await withConnection(async (connection) => {
    await run(connection, [
      plain('START TRANSACTION'),
      {
        sql: `SELECT id, lease_token FROM ${queue} FORCE INDEX (PRIMARY) WHERE id IN (${marks}) FOR UPDATE`,
        parameters: ids,
      },
    ]);
    const upsert = insertInto(
      deliveries,
      outcomes.map(({ row, answer, url }) => ({
        id: row.id,
        environment_id: row.environment_id,
        endpoint_id: row.endpoint_id,
        event_id: row.event_id,
        event_type: row.type,
        chain_id: row.id,
        attempt: 1,
        scheduled_at: now,
        status: Buffer.from('delivered'),
        signed_at: answer.signedAt,
        signature: answer.signature,
        url: Buffer.from(url),
        response_status: answer.status,
        response_headers: answer.headers,
        response_body: answer.body,
        duration_ms: answer.durationMs,
        attempted_at: now,
      })),
    );
    const changes = attempted.map((column) => `${column} = VALUES(${column})`).join(', ');
    await run(connection, [
      { sql: `${upsert.sql} ON DUPLICATE KEY UPDATE ${changes}`, parameters: upsert.parameters },
      { sql: `DELETE FROM ${queue} WHERE id IN (${marks})`, parameters: ids },
      plain('COMMIT'),
    ]);
  });
}

/** Delivers all events after `after`. The next batch is claimed while one is posted and another is recorded. */
async function deliverAfter(after: Buffer): Promise<void> {
  const [endpoints] = await database.query<EndpointRow[]>(
    'SELECT id, environment_id, url FROM developers_webhook WHERE environment_id IN (SELECT environment_id FROM svc_event WHERE id > ? AND pending IS NULL)',
    [after],
  );
  const urls = new Map(endpoints.map(({ id, url }) => [id.toString('hex'), url.toString()]));
  for (const [id, url] of urls) {
    const { origin, pathname } = new URL(url);
    if (!pools.has(id))
      pools.set(id, { pool: new Pool(origin, { connections: connectionsPerEndpoint }), path: pathname });
  }
  await fanOut(endpoints, after);
  let recording: Promise<void> = Promise.resolve();
  for (let next = claim(); ;) {
    const rows = await next;
    if (rows.length === 0) break;
    next = claim();
    const outcomes = await Promise.all(
      rows.map(async (row) => {
        const id = row.endpoint_id.toString('hex');
        const target = pools.get(id);
        if (!target) throw new Error('An endpoint is missing.');
        return { row, url: urls.get(id) ?? '', answer: await post(target, row) };
      }),
    );
    await recording;
    recording = record(outcomes);
  }
  await recording;
}

await database.query(`CREATE TABLE IF NOT EXISTS ${queue} LIKE developers_webhook_queue;
  CREATE TABLE IF NOT EXISTS ${deliveries} LIKE developers_delivery`);
const server = createServer((request, response) => {
  // GET /<id of the last event that must not be delivered>
  deliverAfter(idBytes((request.url ?? '').slice(1))).then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  const bound = server.address();
  process.stdout.write(`address http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}\n`);
});
process.on('SIGTERM', () => process.exit(0));
