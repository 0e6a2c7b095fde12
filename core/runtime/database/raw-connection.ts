import { QueryFailedError } from 'typeorm/error/QueryFailedError.js';
import { serverMessage } from './errors.js';
import type { PreparedValue } from './session.js';
import { statementText } from './statement-text.js';
import type { SqlValue, Statement } from './statement.js';

type Callback = (error: Error | null, answer: unknown) => void;

/** mysql2's own connection. */
export interface RawConnection {
  query(sql: string, parameters: readonly SqlValue[], done: Callback): void;
  /** Prepares the statement at its first use on the connection. */
  execute(sql: string, parameters: readonly PreparedValue[], done: Callback): void;
  destroy(): void;
}

export const isRawConnection = (value: unknown): value is RawConnection =>
  typeof value === 'object' && value !== null && 'query' in value && 'execute' in value && 'destroy' in value;

/**
 * Sends SQL text without TypeORM's and mysql2's promise layers, which cost as much CPU as the statement itself
 * (measured).
 * @returns rows, or the outcome of a statement without rows; an array of these if the text contains several statements
 * @throws QueryFailedError, as TypeORM would, but without the values: they may be secrets, and errors are logged
 */
export const send = (connection: RawConnection, statement: Statement): Promise<unknown> =>
  answerTo(statement, (done) => connection.query(statementText(statement), noValues, done));

const noValues: readonly SqlValue[] = [];

/** The same for one statement whose text never changes: the server parses it once per connection. */
export const sendPrepared = (
  connection: RawConnection,
  sql: string,
  parameters: readonly PreparedValue[],
): Promise<unknown> => answerTo({ sql }, (done) => connection.execute(sql, [...parameters], done));

/** Leaves the server's own message, wherever the driver has put it. */
function cutMessage(error: Error): void {
  const { message } = error;
  const own = serverMessage(message);
  if (own === message) return;
  error.message = own;
  error.stack = error.stack?.replace(message, () => own) ?? '';
  Reflect.set(error, 'sqlMessage', own);
}

const answerTo = (statement: Pick<Statement, 'sql'>, ask: (done: Callback) => void): Promise<unknown> =>
  new Promise((resolve, reject) => {
    ask((error, answer) => {
      if (!error) {
        resolve(answer);
        return;
      }
      Reflect.deleteProperty(error, 'sql');
      cutMessage(error);
      reject(new QueryFailedError(statement.sql, undefined, error));
    });
  });
