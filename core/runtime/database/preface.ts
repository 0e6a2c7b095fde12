import type { PreparedValue, SqlValue } from './session.js';
import { countIn, type Statement } from './statement.js';
import { send, sendPrepared, type Wire } from './wire.js';

/** Statements that go ahead of a connection's next one, in its round trip: BEGIN costs none of its own. */
export interface Preface {
  set(statement: Statement): void;
  /** Sends it alone where no statement has taken it along, and waits until it was answered. */
  settle(): Promise<void>;
  /** Why it failed, or the statement that went with it: nobody knows which of them did. */
  failure(): unknown;
}

export interface PrefacedWire {
  readonly preface: Preface;
  send(sql: string, parameters: readonly SqlValue[] | undefined): Promise<unknown>;
  sendPrepared(sql: string, parameters: readonly PreparedValue[]): Promise<unknown>;
  /** Puts the preface on its way, for statements that go past `send`: a connection answers in the order it was asked. */
  hurry(): void;
}

export function prefaced(wire: Wire): PrefacedWire {
  let waiting: Statement | undefined;
  let alone = Promise.resolve<unknown>(undefined);
  let failure: unknown;
  const failed = (error: unknown): void => void (failure = error);

  const hurry = (): void => {
    if (!waiting) return;
    alone = send(wire, waiting.sql, waiting.parameters).catch(failed);
    waiting = undefined;
  };

  const sendText = async (sql: string, parameters: readonly SqlValue[] = []): Promise<unknown> => {
    if (!waiting) return send(wire, sql, parameters);
    const first = waiting;
    waiting = undefined;
    const together = send(wire, `${first.sql};\n${sql}`, [...first.parameters, ...parameters]);
    together.catch(failed);
    const answers = await together;
    const own: unknown[] = Array.isArray(answers) ? answers.slice(countIn(first)) : [];
    return own.length === 1 ? own[0] : own;
  };

  return {
    hurry,
    send: sendText,
    // Only text takes a preface along.
    sendPrepared: (sql, parameters) => (waiting ? sendText(sql, parameters) : sendPrepared(wire, sql, parameters)),
    preface: {
      set(statement) {
        waiting = statement;
      },
      async settle() {
        hurry();
        await alone;
      },
      failure: () => failure,
    },
  };
}
