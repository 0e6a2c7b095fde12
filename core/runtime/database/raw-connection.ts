import { QueryFailedError } from 'typeorm';
import type { PreparedValue, SqlValue } from './session.js';

type Done = (error: Error | null, answer: unknown) => void;

/** mysql2's own connection, as a query runner holds it. */
export interface RawConnection {
  query(sql: string, parameters: readonly SqlValue[], done: Done): void;
  /** Prepares the statement at its first use on the connection. */
  execute(sql: string, parameters: readonly PreparedValue[], done: Done): void;
  destroy(): void;
}

export const isRawConnection = (value: unknown): value is RawConnection =>
  typeof value === 'object' && value !== null && 'query' in value && 'execute' in value && 'destroy' in value;

/**
 * Sends plain SQL on the connection that TypeORM holds, and so in its transaction, without the two layers of promises above it:
 * they cost svc as much as the statement itself (measured).
 * @throws QueryFailedError, as TypeORM would, but without the values: they may be secrets, and errors are logged
 */
export const send = (wire: RawConnection, sql: string, parameters: readonly SqlValue[] = []): Promise<unknown> =>
  asked(sql, (done) => wire.query(sql, [...parameters], done));

/** The same for a SELECT whose text is always the same: the server has parsed it already. */
export const sendPrepared = (
  wire: RawConnection,
  sql: string,
  parameters: readonly PreparedValue[],
): Promise<unknown> => asked(sql, (done) => wire.execute(sql, [...parameters], done));

async function asked(sql: string, ask: (done: Done) => void): Promise<unknown> {
  try {
    return await new Promise((resolve, reject) => {
      ask((error, answer) => (error ? reject(error) : resolve(answer)));
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    Reflect.deleteProperty(error, 'sql');
    throw new QueryFailedError(sql, undefined, error);
  }
}
