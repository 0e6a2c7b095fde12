import type { Context } from '#core/kernel/context.js';
import { domainOf, parseAddress } from '#core/kernel/schema/email-address.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { filterTime } from '#core/kernel/schema/filter-time.js';
import { idRange } from '#core/kernel/schema/id-range.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Channel, SuppressionReason } from '../ports.js';
import { isPersonalReason, suppressionReasons } from '../tables/suppression-reasons.js';
import { suppressions, type SuppressionRow } from '../tables/suppression.js';
import { addressKeys } from '../contacts/address.js';
import { presentSuppression } from './present.js';

/*
 * Suppressions that are lifted by filter: many at once, after an outage at a provider for example. A call reads and
 * lifts a bounded number, and its reply says where the next one continues.
 */

/** The most suppressions that a call lifts, each with its event. */
export const mostLifted = 500;
/** The most rows that a call looks at, lifted or not. */
const mostRead = 20_000;
const sampleSize = 10;

export interface LiftFilter {
  reason?: SuppressionReason | undefined;
  channel?: Channel | undefined;
  since?: string | undefined;
  until?: string | undefined;
  domain?: string | undefined;
  query?: string | undefined;
}

/** What a call found. */
export interface Found {
  count: number;
  sample: SuppressionRow[];
  /** For the next call; null if there is nothing more. */
  nextBefore: string | null;
}

type Reading = Pick<Context, 'clock'> & { db: Pick<ReadSession, 'rows'> };

interface Condition {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** `LIKE` text in which nothing is a wildcard. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** @throws invalid_input */
function domainOfFilter(text: string): string {
  const parsed = parseAddress(`x@${text}`);
  if (parsed.ok) return domainOf(parsed.address);
  throw refusalOf.invalid_input({ field: 'filter.domain', problem: 'must be a domain such as example.com' });
}

const times = (given: string): SqlValue[] => [filterTime(given) ?? null];

function conditionOf({ reason, channel, since, until, domain, query }: LiftFilter): Condition {
  const liftable = suppressionReasons.filter((each) => !isPersonalReason(each));
  const parts: (Condition | null)[] = [
    {
      sql: 'reason IN (?)',
      parameters: [(reason === undefined ? liftable : [reason]).map((each) => Buffer.from(each))],
    },
    channel === undefined ? null : { sql: 'channel = ?', parameters: [Buffer.from(channel)] },
    since === undefined ? null : { sql: 'created_at >= ?', parameters: times(since) },
    until === undefined ? null : { sql: 'created_at < ?', parameters: times(until) },
    domain === undefined
      ? null
      : { sql: "channel = 'email' AND address LIKE ?", parameters: [`%@${literal(domainOfFilter(domain))}`] },
    query === undefined ? null : { sql: 'address LIKE ?', parameters: [`%${literal(query)}%`] },
  ];
  const given = parts.filter((part) => part !== null);
  return { sql: given.map(({ sql }) => sql).join(' AND '), parameters: given.flatMap(({ parameters }) => parameters) };
}

/**
 * The rows that a call may look at: the next ones of an index that is in the order of ids.
 * @returns null if there are none
 */
async function windowOf(
  { db, clock }: Reading,
  environmentId: string,
  filter: LiftFilter,
  before: string | undefined,
): Promise<{ where: Condition; oldest: Buffer; isLast: boolean } | null> {
  const { from, to } = idRange(filterTime(filter.since), filterTime(filter.until), clock.now());
  const parts: Condition[] = [
    { sql: 'environment_id = ?', parameters: [idBytes(environmentId)] },
    ...(filter.reason === undefined ? [] : [{ sql: 'reason = ?', parameters: [Buffer.from(filter.reason)] }]),
    ...(from ? [{ sql: 'id >= ?', parameters: [from] }] : []),
    ...(to ? [{ sql: 'id <= ?', parameters: [to] }] : []),
    ...(before === undefined ? [] : [{ sql: 'id < ?', parameters: [idBytes(before)] }]),
  ];
  const where = {
    sql: parts.map(({ sql }) => sql).join(' AND '),
    parameters: parts.flatMap((each) => each.parameters),
  };
  const [row] = await db.rows<{ oldest: Buffer | null; found: number }>(
    `SELECT MIN(id) AS oldest, COUNT(*) AS found FROM (
       SELECT id FROM audience_suppression FORCE INDEX (${filter.reason === undefined ? 'environment' : 'reason'})
       WHERE ${where.sql} ORDER BY id DESC LIMIT ${mostRead}) w`,
    [...where.parameters],
  );
  if (!row?.oldest) return null;
  return { where, oldest: row.oldest, isLast: row.found < mostRead };
}

/** SQL of the liftable suppressions in the window, without those of erased people, whose address is gone. */
function matching(filter: LiftFilter, where: Condition, oldest: Buffer): Condition {
  const { sql, parameters } = conditionOf(filter);
  return {
    sql: `FROM audience_suppression WHERE ${where.sql} AND id >= ? AND active = 1 AND address IS NOT NULL AND ${sql}`,
    parameters: [...where.parameters, oldest, ...parameters],
  };
}

/** Counts what a lift with the same filter would lift, and shows the newest. @throws invalid_input */
export async function findLiftable(
  reading: Reading,
  environmentId: string,
  filter: LiftFilter,
  before: string | undefined,
): Promise<Found> {
  const { db } = reading;
  const window = await windowOf(reading, environmentId, filter, before);
  if (!window) return { count: 0, sample: [], nextBefore: null };
  const { sql, parameters } = matching(filter, window.where, window.oldest);
  const [counted] = await db.rows<{ found: number }>(`SELECT COUNT(*) AS found ${sql}`, [...parameters]);
  const rows = await db.rows<object>(
    `SELECT ${suppressions.columnList()} ${sql} ORDER BY id DESC LIMIT ${sampleSize}`,
    [...parameters],
  );
  return {
    count: counted?.found ?? 0,
    sample: rows.map((row) => suppressions.decode(row)),
    nextBefore: window.isLast ? null : idText(window.oldest),
  };
}

/** Lifts the next suppressions that a filter finds, at most `mostLifted`. @throws invalid_input */
export async function liftMany(
  context: Context<'audience.suppression.lifted'>,
  environmentId: string,
  filter: LiftFilter,
  before: string | undefined,
): Promise<Found> {
  const { db, clock, emit } = context;
  const window = await windowOf(context, environmentId, filter, before);
  if (!window) return { count: 0, sample: [], nextBefore: null };
  const { sql, parameters } = matching(filter, window.where, window.oldest);
  const ids = (
    await db.rows<{ id: Buffer }>(`SELECT id ${sql} ORDER BY id DESC LIMIT ${mostLifted}`, [...parameters])
  ).map(({ id }) => id);
  const last = ids.at(-1);
  const nextBefore = last && ids.length === mostLifted ? idText(last) : window.isLast ? null : idText(window.oldest);
  if (!last) return { count: 0, sample: [], nextBefore };
  // Locked, so that each is lifted, and reported, by one call.
  const locked = await db.rows<object>(
    `SELECT ${suppressions.columnList()} FROM audience_suppression WHERE id IN (?) AND active = 1 ORDER BY id DESC FOR UPDATE`,
    [ids],
  );
  const liftedAt = clock.now();
  const rows = locked.map((row): SuppressionRow => ({ ...suppressions.decode(row), active: null, liftedAt }));
  if (rows.length > 0)
    await db.run('UPDATE audience_suppression SET active = NULL, lifted_at = ? WHERE id IN (?) AND active = 1', [
      liftedAt,
      rows.map(({ id }) => idBytes(id)),
    ]);
  const contactOf = await contactsOf(context, environmentId, rows);
  for (const row of rows) {
    const personId = contactOf(row);
    const data = { suppression: presentSuppression(row) };
    emit('audience.suppression.lifted', { subjectId: row.id, data, ...(personId === null ? {} : { personId }) });
  }
  return { count: rows.length, sample: rows.slice(0, sampleSize), nextBefore };
}

/** The ids of the contacts that have suppressed addresses, as `contactIdOf` finds one. */
async function contactsOf(
  { db }: Pick<Context, 'db'>,
  environmentId: string,
  rows: readonly SuppressionRow[],
): Promise<(row: SuppressionRow) => string | null> {
  const keysOf = ({ channel, address }: SuppressionRow): readonly string[] =>
    address === null ? [] : addressKeys(channel, address);
  const found = new Map<string, string>();
  for (const [channel, column] of [
    ['email', 'email_key'],
    ['sms', 'phone'],
  ] as const) {
    const keys = rows.filter((row) => row.channel === channel).flatMap(keysOf);
    if (keys.length === 0) continue;
    const contacts = await db.rows<{ id: Buffer; address: Buffer | string }>(
      `SELECT id, ${column} AS address FROM audience_contact WHERE environment_id = ? AND ${column} IN (?)`,
      [idBytes(environmentId), keys.map((key) => Buffer.from(key))],
    );
    for (const { id, address } of contacts) found.set(address.toString(), idText(id));
  }
  return (row) => keysOf(row).flatMap((key) => found.get(key) ?? [])[0] ?? null;
}
