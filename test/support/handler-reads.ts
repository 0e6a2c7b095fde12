import type { Session } from '#core/runtime/database/session.js';

/**
 * The number of rows that this connection has read, by the server's counters. It distinguishes an index range from a
 * full scan.
 */
export const handlerReads = async (db: Session): Promise<number> =>
  (await db.rows<{ Value: string }>("SHOW SESSION STATUS LIKE 'Handler_read%'")).reduce(
    (sum, { Value }) => sum + Number(Value),
    0,
  );
