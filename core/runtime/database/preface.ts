import type { PreparedValue, SqlValue } from './session.js';
import { countIn, joined, type Statement } from './statement.js';
import { send, sendPrepared, type Wire } from './wire.js';

/** Statements that go ahead of a connection's next one, in its round trip: BEGIN costs none of its own. */
export interface Preface {
  /** What begins a transaction. */
  set(statement: Statement): void;
  /** Sends it alone where no statement has taken it along, and waits until it was answered. */
  settle(): Promise<void>;
  /** Why it failed, or the statement that went with it: nobody knows which of them did. */
  failure(): unknown;
  /** What `later` has put off and no statement has taken along, for COMMIT to take. */
  rest(): Statement[];
  /** Why something failed that `later` had put off. */
  lost(): unknown;
}

export interface PrefacedWire {
  readonly preface: Preface;
  send(sql: string, parameters: readonly SqlValue[] | undefined): Promise<unknown>;
  sendPrepared(sql: string, parameters: readonly PreparedValue[]): Promise<unknown>;
  /** In a transaction, puts a statement off until the next one or COMMIT; elsewhere sends it. */
  later(statement: Statement): Promise<void>;
  /** Puts everything on its way, for statements that go past `send`: a connection answers in the order it was asked. */
  hurry(): void;
}

/** Values of statements that are put off, at most: a text must stay far below what the server takes (16 MiB). */
const mostValues = 12_000;

export function prefaced(wire: Wire): PrefacedWire {
  let opening: Statement | undefined;
  let begun = false;
  const putOff: Statement[] = [];
  let alone = Promise.resolve<unknown>(undefined);
  let failure: unknown;
  let lost: unknown;
  const failed = (error: unknown): void => void (failure = error);

  const rest = (): Statement[] => putOff.splice(0);
  const settle = async (): Promise<void> => {
    const first = opening;
    opening = undefined;
    if (first) alone = send(wire, first.sql, first.parameters).catch(failed);
    await alone;
  };
  const hurry = (): void => {
    void settle();
    const others = joined(rest());
    if (others.sql !== '') alone = send(wire, others.sql, others.parameters).catch((error: unknown) => (lost = error));
  };

  const sendText = async (sql: string, parameters: readonly SqlValue[] = []): Promise<unknown> => {
    const first = opening;
    const ahead = [...(first ? [first] : []), ...rest()];
    if (ahead.length === 0) return send(wire, sql, parameters);
    opening = undefined;
    const before = joined(ahead);
    const together = send(wire, `${before.sql};\n${sql}`, [...before.parameters, ...parameters]);
    together.catch((error: unknown) => {
      if (first) failed(error);
      // Whoever asked may take the error for his own statement's, and go on.
      if (ahead.length > 1 || !first) lost = error;
    });
    const answers = await together;
    const own: unknown[] = Array.isArray(answers) ? answers.slice(countIn(before)) : [];
    return own.length === 1 ? own[0] : own;
  };

  return {
    hurry,
    send: sendText,
    // Only text takes others along.
    sendPrepared: (sql, parameters) =>
      opening || putOff.length > 0 ? sendText(sql, parameters) : sendPrepared(wire, sql, parameters),
    async later(statement) {
      const values = putOff.reduce((sum, { parameters }) => sum + parameters.length, statement.parameters.length);
      if (begun && values <= mostValues) putOff.push(statement);
      else await sendText(statement.sql, statement.parameters);
    },
    preface: {
      set(statement) {
        opening = statement;
        begun = true;
      },
      settle,
      failure: () => failure,
      rest,
      lost: () => lost,
    },
  };
}
