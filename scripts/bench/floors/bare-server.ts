import type { IncomingMessage } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import Koa, { type Context } from 'koa';
import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';
import { environmentColumns } from '#core/kernel/environment/environment.js';
import { formats } from '#core/kernel/schema/formats.js';
import type { JsonSchema } from '#core/kernel/schema/schema.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { startServer } from '#core/runtime/server.js';

/*
 * The minimum cost of an operation over HTTP: Koa, a Map of routes, reading the body, the digest and lookup of the key,
 * and validation by the operation's schema. No rate limit, no error format, no metrics, no log.
 */

export interface Route {
  readonly schema: JsonSchema;
  readonly permission: string;
  readonly handle: (accountId: Buffer) => Promise<unknown>;
}

interface KeyRow extends RowDataPacket {
  account_id: Buffer;
  permissions: string | string[];
  revoked_at: Date | null;
}

const findKey = `SELECT k.id, k.name, k.kind, k.permissions, k.allowed_origins, k.role, k.member_id, k.lineage_id, k.revoked_at, ${environmentColumns}
  FROM developers_key k JOIN svc_environment e ON e.id = k.environment_id WHERE k.digest = ?`;

/** The connection pool of a floor that runs in its own process. */
export function floorDatabase(): Pool {
  const uri = process.env['BENCH_DATABASE_URL'];
  if (uri === undefined) throw new Error('BENCH_DATABASE_URL is not set: start floors with npm run bench.');
  const connectionLimit = Number(process.env['BENCH_POOL']);
  return createPool({ uri, connectionLimit, timezone: 'Z', multipleStatements: true, jsonStrings: true });
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

/** Prints the address and serves until SIGTERM. */
export async function serve(database: Pool, routes: Readonly<Record<string, Route>>): Promise<void> {
  const ajv = new Ajv2020({ allowUnionTypes: true, strictTypes: false, formats: { ...formats } });
  const known = new Map<string, Route & { validate: ValidateFunction }>(
    Object.entries(routes).map(([path, route]) => [path, { ...route, validate: ajv.compile(route.schema) }]),
  );
  const answer = async (context: Context): Promise<void> => {
    const route = known.get(context.path);
    const input: unknown = JSON.parse(await bodyOf(context.req));
    const digest = sha256(context.get('Authorization').slice('Bearer '.length));
    const [[key]] = await database.execute<KeyRow[]>(findKey, [digest]);
    const permissions: unknown = typeof key?.permissions === 'string' ? JSON.parse(key.permissions) : key?.permissions;
    const may = Array.isArray(permissions) && route !== undefined && permissions.includes(route.permission);
    if (!key || key.revoked_at !== null || !may || !route.validate(input)) {
      context.status = 400;
      return;
    }
    context.type = 'application/json';
    context.body = JSON.stringify({ activityId: '', result: await route.handle(key.account_id) });
  };
  const app = new Koa();
  app.use(answer);
  const listener = app.callback();
  const server = await startServer((request, response) => void listener(request, response), {
    host: '127.0.0.1',
    port: 0,
  });
  process.stdout.write(`address ${server.address}\n`);
  process.once('SIGTERM', () => void server.stop().then(() => database.end()));
}
