import { send, sendPrepared, type RawConnection } from '../raw-connection.js';
import type { PreparedValue } from '../session.js';
import { countIn, joined, type Statement } from '../statement.js';

/** The caller that waits for the answer to a statement. */
export interface Request {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** A single SELECT, which may share a message with other reads. */
  readonly isRead: boolean;
  /** The values, if the statement may be sent as a prepared one. */
  readonly prepared: readonly PreparedValue[] | undefined;
}

/** A statement that somebody waits for. */
export interface RequestedStatement {
  readonly statement: Statement;
  readonly request: Request;
}

/** The content of one round trip. The server runs it in the order of the fields. */
export interface Message {
  /** START TRANSACTION, with the transaction's opening statement if there is one; undefined if it was already sent. */
  readonly begin: Statement | undefined;
  /** Whether `begin` contains an opening statement. */
  readonly withOpening: boolean;
  /** Statements that nobody waits for. */
  readonly deferred: readonly Statement[];
  /** Several reads, or one statement of any kind; none if the opening statement is sent by itself. */
  readonly requested: readonly RequestedStatement[];
}

/** The number of statements of a message that can fail. */
export const statementCount = ({ withOpening, deferred, requested }: Message): number =>
  (withOpening ? 1 : 0) + deferred.length + requested.length;

/**
 * Sends a message in one round trip, and resolves its requests with their answers.
 * @throws the error of the statement that failed; the requests are left for the caller to reject
 */
export async function sendMessage(connection: RawConnection, message: Message): Promise<void> {
  const { begin, deferred, requested } = message;
  const [first] = requested;
  if (first && requested.length === 1 && !begin && deferred.length === 0) {
    first.request.resolve(await sendAlone(connection, first));
    return;
  }
  const before = begin ? [begin, ...deferred] : deferred;
  const answers = await send(connection, joined([...before, ...requested.map(({ statement }) => statement)]));
  if (!first) return;
  // The answers to START TRANSACTION and to deferred statements come first, and nobody wants them.
  const unwanted = before.reduce((sum, statement) => sum + countIn(statement), 0);
  const wanted: unknown[] = Array.isArray(answers) ? answers.slice(unwanted) : [];
  // Reads have one answer each. Any other text may hold several statements: it is sent on its own, and takes all
  // remaining answers.
  if (first.request.isRead) requested.forEach(({ request }, index) => request.resolve(wanted[index]));
  else first.request.resolve(wanted.length === 1 ? wanted[0] : wanted);
}

const sendAlone = (connection: RawConnection, { statement, request }: RequestedStatement): Promise<unknown> =>
  request.prepared ? sendPrepared(connection, statement.sql, request.prepared) : send(connection, statement);
