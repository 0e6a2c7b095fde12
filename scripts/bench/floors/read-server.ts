import type { RowDataPacket } from 'mysql2/promise';
import { idText } from '#core/runtime/id.js';
import accountGet from '#plugins/account/operations/get.js';
import { floorDatabase, serve } from './bare-server.js';

/*
 * account.get with the statements of svc, in the same number of round trips: the prepared lookup of the key, then three
 * reads together.
 */

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

const findAll = `SELECT id, name, country, heard_from, heard_from_detail, opened_by, operator, created_at, closed_at, closed_reason
  FROM account WHERE id = ? LIMIT 1;
  SELECT id, account_id, name, name_key, slug, locale, time_zone, created_at FROM account_project WHERE account_id = ?;
  SELECT COUNT(*) AS active FROM account_member WHERE account_id = ? AND status = 'active'`;

const database = floorDatabase();

type Found = [AccountRow[], ProjectRow[], (RowDataPacket & { active: number })[]];

async function getAccount(accountId: Buffer): Promise<unknown> {
  const [[[account], projects, [members]]] = await database.query<Found>(findAll, [accountId, accountId, accountId]);
  if (!account) throw new Error('The account does not exist.');
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

await serve(database, {
  '/account/get': { schema: accountGet.input, permission: 'account:read', handle: getAccount },
});
