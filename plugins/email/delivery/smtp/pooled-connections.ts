import type { MailConnection, SmtpServer } from './connection.js';

/** A connection that many messages use in turn. `Job` is the work of carrying one message. */
export interface PooledConnection<Job> {
  readonly connection: MailConnection;
  isOpen: boolean;
  /** Messages that it has carried. */
  messages: number;
  /** The job that it carries; undefined while it is idle. */
  job: Job | undefined;
  /** Closes it after it was idle for some time. */
  timer: NodeJS.Timeout | undefined;
}

/** The connections to one server. At most `maxConnections` of the server's options are open at the same time. */
interface PooledConnections<Job> {
  /** Takes the connection that became idle last, else a new one. @returns undefined while all are busy */
  take(): PooledConnection<Job> | undefined;
  /** Takes a new connection, and closes an idle one for it if necessary. @returns undefined while all are busy */
  takeNew(): PooledConnection<Job> | undefined;
  /** Makes a connection idle; closes it if it has carried `maxMessages`, or after `closeIdle`. */
  release(pooled: PooledConnection<Job>): void;
  /** Closes a connection: `quit` sends QUIT to the server first. Does nothing if it was closed before. */
  drop(pooled: PooledConnection<Job>, how: 'quit' | 'close'): void;
  /** All connections that are open or being opened. */
  all(): PooledConnection<Job>[];
  /** Closes idle connections now, and each busy one when it is released. */
  closeIdle(): void;
}

export function pooledConnections<Job>({ connection, options }: SmtpServer): PooledConnections<Job> {
  const { maxConnections, maxMessages, idleTimeout } = options;
  const open = new Set<PooledConnection<Job>>();
  const idle: PooledConnection<Job>[] = [];
  let isClosing = false;

  const drop = (pooled: PooledConnection<Job>, how: 'quit' | 'close'): void => {
    clearTimeout(pooled.timer);
    const index = idle.indexOf(pooled);
    if (index >= 0) idle.splice(index, 1);
    if (open.delete(pooled)) pooled.connection[how]();
  };

  const isFull = (): boolean => open.size >= maxConnections;

  const add = (): PooledConnection<Job> => {
    const pooled: PooledConnection<Job> = {
      // A connection that ends while it carries a message fails that message, and is then dropped.
      connection: connection(() => {
        if (!pooled.job) drop(pooled, 'close');
      }),
      isOpen: false,
      messages: 0,
      job: undefined,
      timer: undefined,
    };
    open.add(pooled);
    return pooled;
  };

  /** One timer serves a connection for its whole life: it does nothing while the connection is busy. */
  const startIdleTimer = (pooled: PooledConnection<Job>): void => {
    if (pooled.timer) pooled.timer.refresh();
    else if (idleTimeout > 0)
      pooled.timer = setTimeout(() => {
        if (!pooled.job) drop(pooled, 'quit');
      }, idleTimeout).unref();
  };

  return {
    take: () => idle.pop() ?? (isFull() ? undefined : add()),
    takeNew() {
      const spare = idle.at(-1);
      if (isFull() && spare) drop(spare, 'quit');
      return isFull() ? undefined : add();
    },
    release(pooled) {
      pooled.job = undefined;
      if (isClosing || pooled.messages >= maxMessages) {
        drop(pooled, 'quit');
        return;
      }
      startIdleTimer(pooled);
      idle.push(pooled);
    },
    drop,
    all: () => [...open],
    closeIdle() {
      isClosing = true;
      for (const pooled of [...idle]) drop(pooled, 'quit');
    },
  };
}
