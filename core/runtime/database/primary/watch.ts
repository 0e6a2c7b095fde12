import { placeOfHost, type DatabaseHost } from '../address.js';
import type { DatabaseTarget } from '../driver-options.js';
import { choosePrimary, createInquiry, type Choice, type NoPrimary } from './find.js';

/** From the beginning of one round of questions to the next, while there is a primary and while one is missing. */
const roundMs = 1_000;
const searchMs = 250;
/** The shortest time between two rounds, even if many connections are lost. */
const leastMs = 50;

/** What a person should know about. */
export type PrimaryReport =
  /** Another server is the primary, or after a problem the same one again (`from` is `to`). */
  | {
      readonly kind: 'found';
      readonly from: string;
      readonly to: string;
      /** Milliseconds since the first sign that the former primary cannot be used. */
      readonly tookMs: number;
    }
  | { readonly kind: 'problem'; readonly problem: NoPrimary };

interface WatchOptions {
  readonly target: DatabaseTarget;
  /** The host in use. */
  readonly present: DatabaseHost;
  /**
   * Called with the new primary.
   * @param isGone whether the former one cannot be used any more
   */
  readonly move: (to: DatabaseHost, isGone: boolean) => void;
  readonly report: (report: PrimaryReport) => void;
}

/** The servers of a database, and which one is in use. */
export interface DatabaseServers {
  /** host:port of each, in the order of SVC_DATABASE_URL. */
  readonly places: readonly string[];
  readonly primary: string;
  /** How often another one became the primary. */
  readonly changes: number;
}

export interface PrimaryWatch {
  servers(): DatabaseServers;
  /** A statement failed in a way that a fail-over explains: ask now. */
  hurry(): void;
  close(): void;
}

/**
 * Watches which host is the primary, by asking all of them every second, and at once when a connection is lost. A
 * server that hangs is noticed too: it gives no answer within a second.
 */
export function watchPrimary({ target, present: first, move, report }: WatchOptions): PrimaryWatch {
  let present = first;
  let changes = 0;
  /** Since when the present primary cannot be used, in milliseconds of performance.now(). */
  let lostAt: number | undefined;
  /** The problem that was reported and still exists. */
  let reported: NoPrimary | undefined;
  let timer: NodeJS.Timeout | undefined;
  let askedAt = performance.now();
  let isAsking = false;
  /** When `hurry` was last called. */
  let hurriedAt = 0;
  let isClosed = false;
  const isOver = (): boolean => isClosed;

  const inquiry = createInquiry(target, (host) => {
    if (isSame(host, present)) hurry();
  });
  present = inquiry.hosts.find((host) => isSame(host, first)) ?? first;

  const schedule = (afterMs: number): void => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void round(), Math.max(0, askedAt + afterMs - performance.now()));
  };
  const hurry = (): void => {
    hurriedAt = performance.now();
    lostAt ??= hurriedAt;
    if (!isAsking) schedule(leastMs);
  };
  const round = async (): Promise<void> => {
    isAsking = true;
    askedAt = performance.now();
    const answers = await inquiry.ask();
    const isGone = answers.some(({ host, problem }) => host === present && problem !== undefined);
    if (isGone) lostAt ??= askedAt;
    const isSettled = await settle(choosePrimary(answers, present), isGone);
    isAsking = false;
    schedule(hurriedAt > askedAt ? leastMs : isSettled ? roundMs : searchMs);
  };
  /** Uses the host that was chosen. @returns whether there is one */
  const settle = async ({ primary, problem }: Choice, isGone: boolean): Promise<boolean> => {
    if (isOver()) return true;
    if (problem && problem.isSplit !== reported?.isSplit) report({ kind: 'problem', problem });
    const wasReported = reported !== undefined;
    reported = problem;
    if (!primary) return false;
    const from = placeOfHost(present);
    const to = placeOfHost(primary.host);
    if (from !== to) {
      try {
        // What callers were told is committed must be visible on the new primary.
        await inquiry.catchUp(primary);
      } catch {
        return false; // The next round asks again.
      }
      if (isOver()) return true;
      present = primary.host;
      changes += 1;
      move(present, isGone);
    }
    const tookMs = Math.round(performance.now() - (lostAt ?? askedAt));
    if (from !== to || (wasReported && !problem)) report({ kind: 'found', from, to, tookMs });
    lostAt = undefined;
    return true;
  };

  schedule(0);
  return {
    servers: () => ({ places: inquiry.hosts.map(placeOfHost), primary: placeOfHost(present), changes }),
    hurry,
    close() {
      isClosed = true;
      clearTimeout(timer);
      inquiry.close();
    },
  };
}

const isSame = (one: DatabaseHost, other: DatabaseHost): boolean => one.host === other.host && one.port === other.port;
