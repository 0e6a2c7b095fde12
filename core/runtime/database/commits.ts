import { createConnection, type Connection } from 'mysql2/promise';
import { idBytes, newId } from '../id.js';
import type { DatabaseHost } from './address.js';
import type { ConnectedDatabase } from './connect.js';
import { driverOptions, type DatabaseTarget } from './driver-options.js';
import { isUnavailable } from './errors.js';
import { changeHeartbeat } from './replica/heartbeat.js';
import { NoAnswer, within } from './within.js';

/** From the beginning of one commit to the next. */
const roundMs = 1_000;
/**
 * How long a commit may take. Callers that wait for theirs are refused after at most this time and one round. A disk
 * that is slow for some seconds does not exceed it.
 */
const limitMs = 8_000;
/** The age of the last commit that a commit of the permitted length explains. */
const mostAgeMs = limitMs + 2 * roundMs;

export const noCommits = 'The database server commits nothing.';

/** What a person should know about: the server answers and commits nothing, or commits again. */
export type CommitReport =
  | { readonly kind: 'stopped' }
  /** @property tookMs since the last commit before */
  | { readonly kind: 'continued'; readonly tookMs: number };

interface CommitWatchOptions {
  readonly target: DatabaseTarget;
  readonly database: Pick<ConnectedDatabase, 'host' | 'refuseWrites'>;
  readonly report: (report: CommitReport) => void;
}

export interface CommitWatch {
  /** Milliseconds since a commit was last seen. */
  ageMs(): number;
  /** Whether the server has committed lately. */
  isCommitting(): boolean;
  close(): void;
}

/**
 * Watches whether the server commits, by changing the heartbeat's row every second over a separate connection. A
 * server whose disk is full with a binary log, that is locked for a backup (FLUSH TABLES WITH READ LOCK), or that waits
 * for a semi-synchronous replica, answers questions, and every change waits without an error. If a commit is not
 * answered within 8 s, changes are refused until one is, so that they do not hold the connections that reads need.
 *
 * All processes together commit once a second: a row that another one has just changed shows the same.
 */
export function watchCommits({ target, database, report }: CommitWatchOptions): CommitWatch {
  let lastAt = performance.now();
  let isRefusing = false;
  let open: { readonly host: DatabaseHost; readonly connection: Promise<Connection> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const drop = (): void => {
    const dropped = open?.connection;
    open = undefined;
    dropped?.then(
      (connection) => connection.destroy(),
      () => undefined, // It was never open.
    );
  };
  const connect = async (host: DatabaseHost): Promise<Connection> => {
    const connection = await createConnection(driverOptions(target, host));
    connection.on('error', () => undefined); // The next statement fails with it.
    await connection.query("SET time_zone = '+00:00'");
    return connection;
  };
  const commit = async (): Promise<void> => {
    const host = database.host();
    if (open?.host !== host) drop();
    open ??= { host, connection: connect(host) };
    const { connection } = open;
    await within(
      limitMs,
      connection.then((each) => each.query(changeHeartbeat, [idBytes(newId())])),
    );
  };
  const succeed = (): void => {
    const tookMs = performance.now() - lastAt;
    lastAt = performance.now();
    if (!isRefusing) return;
    isRefusing = false;
    database.refuseWrites(undefined);
    report({ kind: 'continued', tookMs });
  };
  const fail = (error: unknown, host: DatabaseHost): void => {
    drop();
    // An answer, such as that the server is read-only or its disk is full, is one that callers get too.
    const isSilent = error instanceof NoAnswer || !isUnavailable(error);
    if (isClosed || host !== database.host() || !isSilent || performance.now() - lastAt < limitMs) return;
    // Again each time: those that have begun to wait since then.
    database.refuseWrites(noCommits);
    if (!isRefusing) report({ kind: 'stopped' });
    isRefusing = true;
  };
  const round = async (): Promise<void> => {
    const askedAt = performance.now();
    const host = database.host();
    try {
      await commit();
      succeed();
    } catch (error) {
      fail(error, host);
    }
    if (!isClosed) timer = setTimeout(() => void round(), Math.max(0, askedAt + roundMs - performance.now()));
  };

  void round();
  return {
    ageMs: () => performance.now() - lastAt,
    isCommitting: () => !isRefusing && performance.now() - lastAt <= mostAgeMs,
    close() {
      isClosed = true;
      clearTimeout(timer);
      drop();
    },
  };
}
