import { countMoves, type CountedMessage } from '#core/messaging/stats/count.js';
import type { MessageStatus } from '#core/messaging/tables.js';
import type { Session } from '#core/runtime/database/session.js';
import { statTables } from '#plugins/email/tables/stat.js';

/** Counts `count` messages as accepted, all with the same properties, as a broadcast's are. @param to their status */
export const countAccepted = (
  db: Pick<Session, 'defer'>,
  message: CountedMessage,
  count: number,
  to: MessageStatus = 'queued',
): Promise<void> => store(db, { message, from: null, to, count });

/** Counts `count` messages under a new status. All of them were accepted on the day of `message`. */
export const countMoved = (
  db: Pick<Session, 'defer'>,
  message: CountedMessage,
  count: number,
  { from, to }: { from: MessageStatus; to: MessageStatus },
): Promise<void> => store(db, { message, from, to, count });

async function store(db: Pick<Session, 'defer'>, move: Parameters<typeof countMoves>[1][number]): Promise<void> {
  for (const statement of countMoves(statTables, [move])) await db.defer(statement);
}
