import { phoneForms } from '#core/kernel/schema/phone.js';
import { pageAlong, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { searchKey, startsWith } from '../search/key.js';
import { every, fewIds, pageOfIds, some, type Condition } from '../search/newest.js';
import { openidApps } from '../tables/openid-app.js';
import { users, type UserRow } from '../tables/user.js';

export interface UserFilter {
  environmentId: string;
  now: Date;
  query?: string | undefined;
  banned?: boolean | undefined;
  organizationId?: string | undefined;
  /** Who has signed in to this app, and has access to it. */
  appId?: string | undefined;
}

/** The values that a query is compared with: the start of each address, number, external id and word of the name. */
interface Prefixes {
  email: string;
  /** Null if the query is not the start of a number. */
  phone: string | null;
  externalId: string;
  name: string;
}

function prefixesOf(query: string): Prefixes {
  const text = query.normalize('NFC').trim();
  const digits = text.replaceAll(/[\s().\-\u00a0]/g, '');
  return {
    email: text.toLowerCase(),
    phone: /^\+\d*$/.test(digits) ? digits : null,
    externalId: text,
    name: searchKey(text),
  };
}

/** Numbers are found by the form that they are compared in, those stored before by the one they were given in. */
const phonePrefixes = (phone: string | null): string[] =>
  phone === null ? [] : [...new Set([phone, ...phoneForms(phone), phone.replace(/^\+54(?=[1-8])/, '+549')])];

/** The index ranges that contain the matches of a query. */
function rangesOf(environmentId: string, { email, phone, externalId, name }: Prefixes): Statement[] {
  const range = (select: string, column: string, prefix: string): Statement => {
    const { sql, parameters } = startsWith(column, prefix);
    return {
      sql: `${select} WHERE environment_id = ? AND ${sql}`,
      parameters: [idBytes(environmentId), ...parameters],
    };
  };
  const identity = (kind: 'email' | 'phone', prefix: string): Statement => {
    const { sql, parameters } = range(
      'SELECT user_id AS id FROM auth_identity FORCE INDEX (identity_key)',
      'identity_key',
      prefix,
    );
    return { sql: `${sql} AND kind = ?`, parameters: [...parameters, Buffer.from(kind)] };
  };
  return [
    identity('email', email),
    ...phonePrefixes(phone).map((prefix) => identity('phone', prefix)),
    range('SELECT id FROM auth_user FORCE INDEX (external_id)', 'external_id', externalId),
    ...(name === ''
      ? []
      : [
          range('SELECT id FROM auth_user FORCE INDEX (name_key)', 'name_key', name),
          range('SELECT user_id AS id FROM auth_user_name FORCE INDEX (PRIMARY)', 'part', name),
        ]),
  ];
}

/** The same as a condition on one user. */
function queryCondition({ email, phone, externalId, name }: Prefixes): Condition {
  const inIdentities = (kind: 'email' | 'phone', prefix: string): Condition => {
    const { sql, parameters } = startsWith('i.identity_key', prefix);
    return {
      sql: `EXISTS (SELECT 1 FROM auth_identity i WHERE i.user_id = u.id AND i.kind = ? AND ${sql})`,
      parameters: [Buffer.from(kind), ...parameters],
    };
  };
  const part = startsWith('n.part', name);
  return some([
    startsWith('u.external_id', externalId),
    ...(name === ''
      ? []
      : [
          startsWith('u.name_key', name),
          {
            sql: `EXISTS (SELECT 1 FROM auth_user_name n WHERE n.user_id = u.id AND ${part.sql})`,
            parameters: part.parameters,
          },
        ]),
    inIdentities('email', email),
    ...phonePrefixes(phone).map((prefix) => inIdentities('phone', prefix)),
  ]);
}

/** A ban that has ended does not count. */
const bannedCondition = (banned: boolean, now: Date): Condition => ({
  sql: `${banned ? '' : 'NOT '}(u.banned_at IS NOT NULL AND (u.banned_until IS NULL OR u.banned_until > ?))`,
  parameters: [now],
});

/** One page of an environment's users, newest first. Filters are combined. */
export async function userPage(
  db: ReadSession,
  { environmentId, now, query, banned, organizationId, appId }: UserFilter,
  page: PageRequest,
): Promise<{ rows: UserRow[]; next: string | null }> {
  const grants = appId === undefined ? undefined : await grantsOf(db, environmentId, { appId, now });
  if (grants && query === undefined && banned === undefined && organizationId === undefined)
    return usersOfApp(db, grants, page);
  const prefixes = query === undefined ? undefined : prefixesOf(query);
  const ranges = prefixes
    ? rangesOf(environmentId, prefixes)
    : banned === true && organizationId === undefined
      ? [bannedRange(environmentId)]
      : null;
  const few = ranges && (await fewIds(db, ranges));
  const others = [
    ...(banned === undefined ? [] : [bannedCondition(banned, now)]),
    ...(grants ? [hasGrant(grants)] : []),
  ];
  if (few) {
    const conditions = [...others, ...(organizationId === undefined ? [] : [inOrganization(organizationId)])];
    return pageOfIds(few, page, (ids) => readUsers(db, environmentId, ids, conditions));
  }
  const conditions = [...others, ...(prefixes ? [queryCondition(prefixes)] : [])];
  return newestUsers(db, { environmentId, organizationId }, conditions, page);
}

const bannedRange = (environmentId: string): Statement => ({
  sql: 'SELECT id FROM auth_user FORCE INDEX (banned) WHERE environment_id = ? AND banned_at IS NOT NULL',
  parameters: [idBytes(environmentId)],
});

const inOrganization = (organizationId: string): Condition => ({
  sql: 'EXISTS (SELECT 1 FROM auth_org_member m WHERE m.organization_id = ? AND m.user_id = u.id)',
  parameters: [idBytes(organizationId)],
});

/** Grants of an app, but not those of an app that was removed and had the same key. */
async function grantsOf(
  db: ReadSession,
  environmentId: string,
  { appId, now }: { appId: string; now: Date },
): Promise<Condition> {
  const app = await db.findOne(openidApps, { environmentId, appId });
  return {
    sql: 'r.environment_id = ? AND r.app_id = ? AND r.expires_at > ? AND (r.app_uid IS NULL OR r.app_uid = ?)',
    parameters: [idBytes(environmentId), Buffer.from(appId), now, app ? idBytes(app.id) : null],
  };
}

const hasGrant = ({ sql, parameters }: Condition): Condition => ({
  sql: `EXISTS (SELECT 1 FROM auth_openid_record r FORCE INDEX (app_users) WHERE r.user_id = u.id AND ${sql})`,
  parameters,
});

/** The users of an app, along an index that has them in the order of ids: a user has a grant in each session. */
function usersOfApp(
  db: ReadSession,
  { sql: where, parameters }: Condition,
  page: PageRequest,
): Promise<{ rows: UserRow[]; next: string | null }> {
  const from = 'auth_openid_record r FORCE INDEX (app_users)';
  const range = { from, where, id: 'r.user_id', parameters, isFiltered: false };
  return pageAlong(db, range, page, async (bounds, limit) => {
    const rows = await db.rows<object>(
      `SELECT ${users.columnList('u')} FROM (
         SELECT DISTINCT r.user_id FROM ${from} WHERE ${where}${bounds.sql} ORDER BY r.user_id DESC LIMIT ?
       ) used STRAIGHT_JOIN auth_user u ON u.id = used.user_id ORDER BY u.id DESC`,
      [...parameters, ...bounds.parameters, limit],
    );
    return rows.map((row) => users.decode(row));
  });
}

async function readUsers(
  db: ReadSession,
  environmentId: string,
  ids: readonly Buffer[],
  conditions: readonly Condition[],
): Promise<UserRow[]> {
  const { sql, parameters } = every([
    { sql: 'u.id IN (?) AND u.environment_id = ?', parameters: [ids, idBytes(environmentId)] },
    ...conditions,
  ]);
  const rows = await db.rows<object>(`SELECT ${users.columnList('u')} FROM auth_user u WHERE ${sql}`, parameters);
  return rows.map((row) => users.decode(row));
}

/**
 * Reads users newest first until the page is full: all of them, or the members of an organization, whose index has the
 * same order.
 */
function newestUsers(
  db: ReadSession,
  { environmentId, organizationId }: Pick<UserFilter, 'environmentId' | 'organizationId'>,
  conditions: readonly Condition[],
  page: PageRequest,
): Promise<{ rows: UserRow[]; next: string | null }> {
  const [range, from] =
    organizationId === undefined
      ? [
          { from: 'auth_user u FORCE INDEX (environment)', where: 'u.environment_id = ?', id: 'u.id' },
          'auth_user u FORCE INDEX (environment)',
        ]
      : [
          { from: 'auth_org_member m FORCE INDEX (PRIMARY)', where: 'm.organization_id = ?', id: 'm.user_id' },
          'auth_org_member m FORCE INDEX (PRIMARY) STRAIGHT_JOIN auth_user u ON u.id = m.user_id',
        ];
  const owner = [idBytes(organizationId ?? environmentId)];
  const { sql, parameters } = every([{ sql: range.where, parameters: owner }, ...conditions]);
  return pageAlong(
    db,
    { ...range, parameters: owner, isFiltered: conditions.length > 0 },
    page,
    async (bounds, limit) => {
      const rows = await db.rows<object>(
        `SELECT ${users.columnList('u')} FROM ${from} WHERE ${sql}${bounds.sql} ORDER BY ${range.id} DESC LIMIT ?`,
        [...parameters, ...bounds.parameters, limit],
      );
      return rows.map((row) => users.decode(row));
    },
  );
}
