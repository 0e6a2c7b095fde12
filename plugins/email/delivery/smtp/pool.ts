import { errorOf, type SmtpServer } from './connection.js';
import type { MailSource, OutgoingMail, Outcome } from './outgoing.js';
import { pooledConnections, type PooledConnection } from './pooled-connections.js';

/** A message exceeded its time, including the wait for a connection. */
export class DeliveryTimedOut extends Error {
  override readonly name = 'DeliveryTimedOut';
}

/** Sends messages to one server, over connections that are opened when they are needed (pooled-connections.ts). */
interface SmtpPool {
  /**
   * Submits the messages of a source one after another, over the next free connection. A connection that cannot be
   * opened or used any longer ends it; if no message was taken before, one is settled with the reason.
   * @returns once no further message is taken and each one is settled: with a server's answer, as nodemailer's error,
   *   or DeliveryTimedOut
   */
  submit(source: MailSource): Promise<void>;
  /** Takes no more messages, fails those that wait for a connection, and closes connections as they become free. */
  close(): void;
  /** Aborts the delivery attempts that are still running. */
  abort(): void;
}

/** A message that was taken from a source, until it is settled. */
interface Taken {
  readonly mail: OutgoingMail;
  /** It was given to a connection that the server had already closed, and is sent again over a new one. */
  readonly isRepeat: boolean;
}

/** A source that is being submitted. */
interface Run {
  readonly source: MailSource;
  /** The messages that are not settled, the oldest first. */
  readonly open: Taken[];
  /** The next message: one that waits for its connection to open, or that is sent again over a new one. */
  ahead: Taken | undefined;
  /** Whether a message was taken. */
  hasBegun: boolean;
  /** Its time is over, or it has ended. */
  isOver: boolean;
  /** Its connection; undefined while it waits. */
  carriedBy: PooledConnection<Run> | undefined;
  readonly timer: NodeJS.Timeout;
  readonly ended: () => void;
}

const closedError = (): Error => new Error('The connections to the mail server are closed.');

/** @param deliverMs how long one message may take, including the wait for a connection */
export function smtpPool(server: SmtpServer, deliverMs: number): SmtpPool {
  const connections = pooledConnections<Run>(server);
  /** The next one first. */
  const waiting: Run[] = [];
  let isClosed = false;

  const next = (run: Run): Taken | undefined => {
    if (run.ahead) return run.ahead;
    run.hasBegun = true;
    const mail = run.source.next();
    return mail && { mail, isRepeat: false };
  };

  const take = (run: Run): OutgoingMail | undefined => {
    const taken = next(run);
    run.ahead = undefined;
    if (!taken) return undefined;
    // A message that is sent ahead has its time from when the one before it is settled.
    if (run.open.length === 0) run.timer.refresh();
    run.open.push(taken);
    return taken.mail;
  };

  const settle = (run: Run, outcome: Outcome): void => {
    run.open.shift();
    run.timer.refresh();
    run.source.settle(outcome);
  };

  const end = (run: Run): void => {
    clearTimeout(run.timer);
    run.isOver = true;
    run.ended();
  };

  /** Ends a run whose messages cannot be sent: those that were taken, or else the next one, get the reason. */
  const fail = (run: Run, error: Error): void => {
    if (run.isOver) return;
    if (run.ahead || !run.hasBegun) take(run);
    while (run.open.length > 0) settle(run, { error, isUntried: false });
    end(run);
  };

  /** What a connection carries of a run. */
  const carriedSource = (pooled: PooledConnection<Run>, run: Run): MailSource => ({
    next: () =>
      isClosed || run.isOver || pooled.messages + run.open.length >= server.options.maxMessages ? undefined : take(run),
    isCurrent: () => run.isOver || (run.source.isCurrent?.() ?? true),
    settle(outcome) {
      const [taken] = run.open;
      if (run.isOver || !taken) return;
      const isFirst = pooled.messages === 0;
      pooled.messages += 1;
      // A server may close an idle connection, which is only noticed when the next message is given to it.
      if ('error' in outcome && outcome.isUntried && !isFirst && !taken.isRepeat && !isClosed) {
        run.open.shift();
        run.ahead = { mail: taken.mail, isRepeat: true };
      } else settle(run, outcome);
    },
  });

  const carry = async (pooled: PooledConnection<Run>, run: Run): Promise<void> => {
    pooled.job = run;
    run.carriedBy = pooled;
    if (!pooled.isOpen) {
      // If it cannot be opened, a message fails.
      run.ahead ??= next(run);
      try {
        await pooled.connection.open();
        pooled.isOpen = true;
      } catch (error) {
        connections.drop(pooled, 'close');
        fail(run, errorOf(error));
        return;
      }
    }
    // It has timed out in the meantime, which has dropped the connection.
    if (run.isOver) return;
    const isUsable = await pooled.connection.submit(carriedSource(pooled, run));
    if (isUsable) connections.release(pooled);
    else connections.drop(pooled, 'close');
    goOn(run);
  };

  /** Ends a run that a connection has carried, or gives it to another connection with the message to be sent again. */
  const goOn = (run: Run): void => {
    if (run.isOver) return;
    run.carriedBy = undefined;
    if (!run.ahead) end(run);
    else if (isClosed) fail(run, closedError());
    else waiting.unshift(run);
  };

  /** Gives waiting runs to free connections. A repeat takes a new one. */
  const dispatch = (): void => {
    for (let [run] = waiting; run; [run] = waiting) {
      const pooled = run.ahead?.isRepeat === true ? connections.takeNew() : connections.take();
      if (!pooled) return;
      waiting.shift();
      void carry(pooled, run).finally(dispatch);
    }
  };

  const timeOut = (run: Run): void => {
    const index = waiting.indexOf(run);
    if (index >= 0) waiting.splice(index, 1);
    fail(run, new DeliveryTimedOut());
    if (run.carriedBy?.job === run) connections.drop(run.carriedBy, 'close');
    dispatch();
  };

  return {
    submit: (source) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => timeOut(run), deliverMs);
        const run: Run = {
          source,
          open: [],
          ahead: undefined,
          hasBegun: false,
          isOver: false,
          carriedBy: undefined,
          timer,
          ended: resolve,
        };
        if (isClosed) {
          fail(run, closedError());
          return;
        }
        waiting.push(run);
        dispatch();
      }),
    close() {
      isClosed = true;
      for (const run of waiting.splice(0)) fail(run, closedError());
      connections.closeIdle();
    },
    abort() {
      for (const pooled of connections.all()) {
        if (pooled.job) fail(pooled.job, closedError());
        connections.drop(pooled, 'close');
      }
    },
  };
}
