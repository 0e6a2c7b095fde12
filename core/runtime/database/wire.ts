import { QueryFailedError } from 'typeorm';
import type { SqlValue } from './session.js';

/** mysql2's own connection, as a query runner holds it. */
export interface Wire {
  query(sql: string, parameters: readonly SqlValue[], done: (error: Error | null, answer: unknown) => void): void;
  destroy(): void;
}

export const isWire = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && 'query' in value && 'destroy' in value;

/**
 * Sends plain SQL on the connection that TypeORM holds, and so in its transaction, without the two layers of promises above it:
 * they cost svc as much as the statement itself (measured).
 * @throws QueryFailedError, as TypeORM would, but without the values: they may be secrets, and errors are logged
 */
export async function send(wire: Wire, sql: string, parameters: readonly SqlValue[] = []): Promise<unknown> {
  try {
    return await new Promise((resolve, reject) => {
      wire.query(sql, [...parameters], (error, answer) => (error ? reject(error) : resolve(answer)));
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    Reflect.deleteProperty(error, 'sql');
    throw new QueryFailedError(sql, undefined, error);
  }
}
