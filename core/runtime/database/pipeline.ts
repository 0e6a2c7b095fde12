import { isDeadlock } from './errors.js';
import type { PreparedValue, SqlValue } from './session.js';
import { countIn, joined, type Statement } from './statement.js';
import { send, sendPrepared, type RawConnection } from './raw-connection.js';

/** Statements that go ahead of a connection's next one, in its round trip: BEGIN costs none of its own. */
export interface Pipeline {
  /** What begins a transaction. */
  set(statement: Statement): void;
  /** Sends it alone where no statement has taken it along, and waits until it was answered. */
  settle(): Promise<void>;
  /** Why it failed, or the statement that went with it: nobody knows which of them did. */
  openingFailure(): unknown;
  /** What `defer` has put off and no statement has taken along, for COMMIT to take. */
  takeDeferred(): Statement[];
  /** Why something failed that `defer` had put off. */
  deferredFailure(): unknown;
  /** Ends the transaction, also one in which no statement is let through any more. */
  rollBack(): Promise<unknown>;
}

export interface PipelinedConnection {
  readonly pipeline: Pipeline;
  send(sql: string, parameters: readonly SqlValue[] | undefined): Promise<unknown>;
  sendPrepared(sql: string, parameters: readonly PreparedValue[]): Promise<unknown>;
  /** In a transaction, puts a statement off until the next one or COMMIT; elsewhere sends it. */
  defer(statement: Statement): Promise<void>;
  /** Puts everything on its way, for reads that go past `send`: a connection answers in the order it was asked. */
  flush(): void;
  /** The same, and waits until it has gone well, for writes that go past `send`. @throws why it has not */
  ready(): Promise<void>;
}

/** Values of statements that are put off, at most: a text must stay far below what the server takes (16 MiB). */
const mostValues = 12_000;

export function pipelined(wire: RawConnection): PipelinedConnection {
  let opening: Statement | undefined;
  let begun = false;
  const putOff: Statement[] = [];
  let alone: Promise<unknown> | undefined;
  let failure: unknown;
  let lost: unknown;
  /** Why nothing more is let through: after a deadlock the server has no transaction, and would commit each statement by itself. */
  let stopped: { by: unknown } | undefined;
  const failed = (error: unknown): void => void (failure = error);
  const stop = (error: unknown): void => void (stopped ??= { by: error });

  const rest = (): Statement[] => putOff.splice(0);
  const apart = ({ sql, parameters }: Statement, fail: (error: unknown) => void): void => {
    const sent = send(wire, sql, parameters)
      .catch((error: unknown) => {
        fail(error);
        stop(error);
      })
      .finally(() => {
        if (alone === sent) alone = undefined;
      });
    alone = sent;
  };
  const settle = async (): Promise<void> => {
    const first = opening;
    opening = undefined;
    if (first) apart(first, failed);
    await alone;
  };
  /** In one text: of several the server runs none after one that fails. */
  const flush = (): void => {
    const first = opening;
    const ahead = [...(first ? [first] : []), ...rest()];
    if (ahead.length === 0) return;
    opening = undefined;
    apart(joined(ahead), (error) => {
      if (first) failed(error);
      if (ahead.length > 1 || !first) lost = error;
    });
  };
  /** At once where nothing is on its way: what is asked together keeps its order. */
  const passed = (): Promise<void> | undefined => {
    if (alone) return alone.then(() => passed());
    if (stopped) throw stopped.by;
    return undefined;
  };

  /** Also for what is asked meanwhile, or by who makes light of the deadlock. */
  const watched = (answer: Promise<unknown>): Promise<unknown> => {
    if (begun)
      answer.catch((error: unknown) => {
        if (isDeadlock(error)) stop(error);
      });
    return answer;
  };

  const sendText = async (sql: string, parameters: readonly SqlValue[] = []): Promise<unknown> => {
    const way = passed();
    if (way) await way;
    const first = opening;
    const ahead = [...(first ? [first] : []), ...rest()];
    if (ahead.length === 0) return watched(send(wire, sql, parameters));
    opening = undefined;
    const before = joined(ahead);
    const together = watched(send(wire, `${before.sql};\n${sql}`, [...before.parameters, ...parameters]));
    together.catch((error: unknown) => {
      if (first) failed(error);
      // Whoever asked may take the error for his own statement's, and go on.
      if (ahead.length > 1 || !first) {
        lost = error;
        stop(error);
      }
    });
    const answers = await together;
    const own: unknown[] = Array.isArray(answers) ? answers.slice(countIn(before)) : [];
    return own.length === 1 ? own[0] : own;
  };

  return {
    flush,
    async ready() {
      flush();
      await passed();
    },
    send: sendText,
    async sendPrepared(sql, parameters) {
      const way = passed();
      if (way) await way;
      // Only text takes others along.
      return opening || putOff.length > 0 ? sendText(sql, parameters) : watched(sendPrepared(wire, sql, parameters));
    },
    async defer(statement) {
      const values = putOff.reduce((sum, { parameters }) => sum + parameters.length, statement.parameters.length);
      if (begun && values <= mostValues) putOff.push(statement);
      else await sendText(statement.sql, statement.parameters);
    },
    pipeline: {
      set(statement) {
        opening = statement;
        begun = true;
      },
      settle,
      openingFailure: () => failure,
      takeDeferred: rest,
      deferredFailure: () => lost,
      rollBack() {
        rest();
        return send(wire, 'ROLLBACK');
      },
    },
  };
}
