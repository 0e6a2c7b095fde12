import { idList } from '#core/runtime/database/literal.js';
import type { Session } from '#core/runtime/database/session.js';
import { idText } from '#core/runtime/id.js';
import type { Claim } from '#core/runtime/work/queue.js';
import type { DeliveryDriver, DeliveryReport } from '../driver.js';
import { dueAt } from '../due.js';
import type { MessageFields } from '../tables.js';

interface Tried<M> {
  readonly claim: Claim;
  readonly message: M;
  readonly environment: { readonly id: string };
  /** The report of the attempt, if there was one. */
  readonly result: DeliveryReport<M> | string;
}

type GivingUp<M extends MessageFields, C> = Pick<DeliveryDriver<M, C>, 'retryAt' | 'tables'>;

/** Whether a message had a temporary failure. */
const isTemporary = <M>({ result }: Tried<M>): boolean =>
  typeof result !== 'string' && result.recipients.some(({ outcome }) => outcome === 'temporary');

/**
 * Since when delivery of messages has been tried, for messages whose age would end them: since the first recorded
 * attempt, or this one if there is none, or since their broadcast or account was last released. Earlier waiting time
 * does not count: a pause, a rate limit, a stop of svc. Few messages are that old, and the others cost no statement.
 * @returns by message id; a message that is not in it is tried since it was due
 */
export async function triedSince<M extends MessageFields, C>(
  db: Pick<Session, 'rows'>,
  { retryAt, tables }: GivingUp<M, C>,
  outcomes: readonly Tried<M>[],
  at: Date,
): Promise<Map<string, Date>> {
  const old = outcomes.filter(
    (each) => isTemporary(each) && retryAt(each.claim.attempts, dueAt(each.message), at, each.message) === null,
  );
  if (old.length === 0) return new Map();
  const first = await timesById(
    db,
    `SELECT message_id AS id, MIN(at) AS time FROM ${tables.attempts.tableName} WHERE message_id IN (?) GROUP BY message_id`,
    old.map(({ message }) => message.id),
  );
  const reopened = await timesById(
    db,
    'SELECT id, reopened_at AS time FROM svc_environment WHERE id IN (?)',
    old.map(({ environment }) => environment.id),
  );
  const broadcasts = tables.broadcasts?.broadcasts.tableName;
  const released = await timesById(
    db,
    `SELECT id, released_at AS time FROM ${broadcasts} WHERE id IN (?)`,
    broadcasts === undefined ? [] : old.flatMap(({ message }) => message.broadcastId ?? []),
  );
  return new Map(
    old.map(({ message, environment }) => {
      const times = [
        dueAt(message),
        first.get(message.id) ?? at,
        reopened.get(environment.id),
        message.broadcastId === null ? undefined : released.get(message.broadcastId),
      ].flatMap((time) => time?.getTime() ?? []);
      return [message.id, new Date(Math.max(...times))];
    }),
  );
}

async function timesById(db: Pick<Session, 'rows'>, sql: string, ids: readonly string[]): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{ id: Buffer; time: Date | null }>(sql, [idList([...new Set(ids)])]);
  return new Map(rows.flatMap(({ id, time }) => (time ? [[idText(id), time] as const] : [])));
}
