import type { Session } from '#core/runtime/database/session.js';

/** How many rows this connection has read so far, by the server's own count: a page tells itself from a walk by it. */
export const handlerReads = async (db: Session): Promise<number> =>
  (await db.rows<{ Value: string }>("SHOW SESSION STATUS LIKE 'Handler_read%'")).reduce(
    (sum, { Value }) => sum + Number(Value),
    0,
  );
