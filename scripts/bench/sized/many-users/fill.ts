import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';

/** Users that are created in addition to an existing one. */
interface Crowd {
  /** A user with a session, whose rows are the model. */
  userId: string;
  /** The organization that one in ten of them is in. */
  organizationId: string;
}

const sessionsEach = 3;
/** Users per statement. */
const perStatement = 20_000;

const digits =
  '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';
/** The numbers from the first `?` on, below the second. */
const numbers = `(SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d + ? AS n
  FROM ${digits} a, ${digits} b, ${digits} c, ${digits} e, ${digits} f HAVING n < ?)`;

/** The id of a number's row: older than today's ids. @param kind keeps the ids of several tables apart */
const idFrom = (expression: string, kind = 0): string =>
  `UNHEX(CONCAT('01900000000070008', '${kind}', LPAD(HEX(${expression}), 14, '0')))`;

/** Every column of a table, some of them replaced with expressions. */
function copied(columns: readonly string[], changes: Readonly<Record<string, string>>): string {
  return columns.map((column) => changes[column] ?? `t.\`${column}\``).join(', ');
}

async function columnsOf(db: Session, table: string): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(
    'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position',
    [table],
  );
  return rows.map(({ name }) => name);
}

/**
 * Creates the users from number `from` to `to`, each with an address, a name, a password and three sessions, with one
 * INSERT … SELECT per table and 20,000 users.
 */
export async function fillUsers(
  db: Session,
  { userId, organizationId }: Crowd,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const [user, identity, session, password, member] = await Promise.all(
    ['auth_user', 'auth_identity', 'auth_session', 'auth_password', 'auth_org_member'].map((table) =>
      columnsOf(db, table),
    ),
  );
  const model = idBytes(userId);
  const insert = async (
    table: string,
    columns: readonly string[] = [],
    changes: Readonly<Record<string, string>>,
    { id = 'user_id', rest = '' } = {},
  ): Promise<void> => {
    for (let start = from; start < to; start += perStatement)
      await db.run(
        `INSERT INTO ${table} (${columns.map((each) => `\`${each}\``).join(', ')}) SELECT ${copied(columns, changes)}
         FROM (SELECT * FROM ${table} WHERE ${id} = ? LIMIT 1) t JOIN ${numbers} x ${rest}`,
        [model, start, Math.min(to, start + perStatement)],
      );
  };
  const ofUser = idFrom('x.n');
  const email = "CONCAT('person', x.n, '@example.net')";
  await insert(
    'auth_user',
    user,
    {
      id: ofUser,
      email,
      email_key: email,
      name: "CONCAT('Person Number', x.n)",
      name_key: "CONCAT('person number', x.n)",
      external_id: "CONCAT('x', x.n)",
    },
    { id: 'id' },
  );
  await insert('auth_identity', identity, {
    id: idFrom('x.n', 1),
    user_id: ofUser,
    identity_key: email,
    value: email,
  });
  await insert('auth_password', password, { user_id: ofUser });
  const each = `${sessionsEach} * x.n + y.m`;
  const several = `JOIN (${Array.from({ length: sessionsEach }, (_, m) => `SELECT ${m} AS m`).join(' UNION ALL ')}) y`;
  await insert('auth_session', session, { id: idFrom(each, 2), user_id: ofUser }, { rest: several });
  await insert(
    'auth_org_member',
    member,
    { organization_id: 't.organization_id', user_id: ofUser, id: idFrom('x.n', 3) },
    { rest: 'WHERE x.n % 10 = 0' },
  );
  for (let start = from; start < to; start += perStatement)
    await db.run(
      `INSERT INTO auth_user_name (environment_id, part, user_id)
       SELECT t.environment_id, CONCAT('number', x.n), ${ofUser} FROM (SELECT * FROM auth_user WHERE id = ?) t JOIN ${numbers} x`,
      [model, start, Math.min(to, start + perStatement)],
    );
  await db.run(
    'UPDATE auth_organization SET member_count = (SELECT COUNT(*) FROM auth_org_member WHERE organization_id = ?) WHERE id = ?',
    [idBytes(organizationId), idBytes(organizationId)],
  );
  await db.rows('ANALYZE TABLE auth_user, auth_identity, auth_session, auth_password, auth_org_member, auth_user_name');
}
