import { randomBytes } from 'node:crypto';
import type { RowDataPacket } from 'mysql2/promise';
import { statementFor } from '#core/runtime/database/shared-read.js';
import { joined, insertInto } from '#core/runtime/database/statement.js';
import { newId, idBytes } from '#core/runtime/id.js';
import { byId, keyAndSession } from '#plugins/auth/sessions/read.js';
import sessionRefresh from '#plugins/auth/operations/session/refresh.js';
import sessionVerify from '#plugins/auth/operations/session/verify.js';
import { floorDatabase, serve } from './bare-server.js';
import { asRow } from './write-loop.js';

/*
 * auth.session.verify and auth.session.refresh with the statements of svc, in the same number of round trips, without
 * tokens, checks and events.
 */

const database = floorDatabase();

interface Stored extends RowDataPacket {
  id: Buffer;
  environment_id: Buffer;
}

/** The sessions of the bench, which the calls use in turn. */
const [stored] = await database.query<Stored[]>('SELECT id, environment_id FROM auth_session ORDER BY id');
const [[key]] = await database.query<Stored[]>('SELECT id, environment_id FROM auth_signing_key');
const [activities] = await database.query<RowDataPacket[]>(
  "SELECT * FROM svc_activity WHERE operation = 'auth.session.refresh' ORDER BY id DESC LIMIT 1",
);
const [events] = await database.query<RowDataPacket[]>(
  "SELECT * FROM svc_event WHERE type = 'auth.session.refreshed' ORDER BY id DESC LIMIT 1",
);
if (!key || !activities[0] || !events[0]) throw new Error('svc must have refreshed a session before its floor starts.');
const [activity, event] = [asRow(activities[0]), asRow(events[0])];

let next = 0;
function session(): Stored {
  const found = stored[next % stored.length];
  next += 1;
  if (!found) throw new Error('There are no sessions.');
  return found;
}

const byToken = statementFor(keyAndSession, 1);

async function verify(): Promise<unknown> {
  const { id, environment_id: environmentId } = session();
  const [[row]] = await database.execute<RowDataPacket[]>(byToken, [environmentId, key?.id ?? null, id]);
  return { valid: row !== undefined, user: { id: String(row?.['u_email']) } };
}

const lock = 'SELECT id FROM auth_session WHERE id = ? FOR UPDATE';

async function refresh(): Promise<unknown> {
  const { id, environment_id: environmentId } = session();
  const connection = await database.getConnection();
  try {
    await connection.query(`START TRANSACTION; ${lock}; ${byId}`, [id, id, environmentId]);
    const { sql, parameters } = joined([
      {
        sql: 'UPDATE auth_session SET last_used_at = ?, expires_at = ? WHERE id = ?',
        // The generation stays the same: svc refreshes the same sessions in its rounds.
        parameters: [new Date(), new Date(Date.now() + 2_592_000_000), id],
      },
      insertInto('svc_activity', [{ ...activity, id: idBytes(newId()) }]),
      insertInto('svc_event', [{ ...event, id: idBytes(newId()) }]),
      { sql: 'COMMIT', parameters: [] },
    ]);
    await connection.query(sql, [...parameters]);
  } finally {
    connection.release();
  }
  return { tokens: { refreshToken: randomBytes(40).toString('base64url') } };
}

await serve(database, {
  '/auth/session/verify': { schema: sessionVerify.input, permission: 'auth:read', handle: verify },
  '/auth/session/refresh': { schema: sessionRefresh.input, permission: 'auth:public', handle: refresh },
});
