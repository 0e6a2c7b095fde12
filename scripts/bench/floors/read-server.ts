import type { IncomingMessage } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Koa, { type Context } from 'koa';
import { createPool, type RowDataPacket } from 'mysql2/promise';
import { environmentColumns } from '#core/kernel/environment/environment.js';
import { idText } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { startServer } from '#core/runtime/server.js';
import accountGet from '#plugins/account/operations/get.js';

/*
 * The least that account.get can cost over HTTP: Koa, a Map, a body reader, the key's digest, the operation's own schema in Ajv,
 * and the statements that svc issues, prepared. No ceiling, no envelope of errors, no metrics, no log.
 */

interface KeyRow extends RowDataPacket {
  account_id: Buffer;
  permissions: string | string[];
  revoked_at: Date | null;
}
interface AccountRow extends RowDataPacket {
  id: Buffer;
  name: string;
  country: Buffer | null;
  heard_from: Buffer | null;
  heard_from_detail: string | null;
  created_at: Date;
  closed_at: Date | null;
  closed_reason: string | null;
}
interface ProjectRow extends RowDataPacket {
  id: Buffer;
  name: string;
  slug: Buffer;
  locale: Buffer;
  time_zone: Buffer;
  created_at: Date;
}

const findKey = `SELECT k.id, k.name, k.kind, k.permissions, k.allowed_origins, k.role, k.member_id, k.lineage_id, k.revoked_at, ${environmentColumns}
  FROM developers_key k JOIN svc_environment e ON e.id = k.environment_id WHERE k.digest = ?`;
const findAccount = `SELECT id, name, country, heard_from, heard_from_detail, opened_by, operator, created_at, closed_at, closed_reason
  FROM account WHERE id = ? LIMIT 1`;
const findProjects =
  'SELECT id, account_id, name, name_key, slug, locale, time_zone, created_at FROM account_project WHERE account_id = ?';
const countMembers = "SELECT COUNT(*) AS active FROM account_member WHERE account_id = ? AND status = 'active'";

const url = process.env['BENCH_DATABASE_URL'];
if (url === undefined) throw new Error('Run npm run bench: BENCH_DATABASE_URL names no database.');
const database = createPool({ uri: url, connectionLimit: Number(process.env['BENCH_POOL']), timezone: 'Z' });
const validate = new Ajv2020().compile(accountGet.input);

async function rows<Row extends RowDataPacket>(sql: string, value: Buffer): Promise<Row[]> {
  const [found] = await database.execute<Row[]>(sql, [value]);
  return found;
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

async function getAccount(accountId: Buffer): Promise<unknown> {
  const [account] = await rows<AccountRow>(findAccount, accountId);
  if (!account) throw new Error('The account is gone.');
  const projects = await rows<ProjectRow>(findProjects, accountId);
  const [members] = await rows<RowDataPacket & { active: number }>(countMembers, accountId);
  return {
    account: {
      id: idText(account.id),
      name: account.name,
      country: account.country?.toString() ?? null,
      heardFrom: account.heard_from?.toString() ?? null,
      heardFromDetail: account.heard_from_detail,
      createdAt: account.created_at.toISOString(),
      closedAt: account.closed_at?.toISOString() ?? null,
      closedReason: account.closed_reason,
    },
    projects: projects.map((project) => ({
      id: idText(project.id),
      name: project.name,
      slug: project.slug.toString(),
      locale: project.locale.toString(),
      timeZone: project.time_zone.toString(),
      createdAt: project.created_at.toISOString(),
    })),
    memberCount: members?.active ?? 0,
  };
}

const routes = new Map<string, (accountId: Buffer) => Promise<unknown>>([['/account/get', getAccount]]);

async function answer(context: Context): Promise<void> {
  const handle = routes.get(context.path);
  const input: unknown = JSON.parse(await bodyOf(context.req));
  const [key] = await rows<KeyRow>(findKey, sha256(context.get('Authorization').slice('Bearer '.length)));
  const permissions: unknown = typeof key?.permissions === 'string' ? JSON.parse(key.permissions) : key?.permissions;
  const may = Array.isArray(permissions) && permissions.includes('account:read');
  if (!handle || !key || key.revoked_at !== null || !may || !validate(input)) {
    context.status = 400;
    return;
  }
  context.type = 'application/json';
  context.body = JSON.stringify({ activityId: '', result: await handle(key.account_id) });
}

const app = new Koa();
app.use(answer);
const listener = app.callback();
const server = await startServer((request, response) => void listener(request, response), '127.0.0.1', 0);
process.stdout.write(`address ${server.address}\n`);
process.once('SIGTERM', () => void server.stop().then(() => database.end()));
