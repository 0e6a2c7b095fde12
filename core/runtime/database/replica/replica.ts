import type { ConnectedDatabase } from '../connect.js';
import { DatabaseUnavailable, isConnectionLost } from '../errors.js';
import { readOfReplica, type Beat, type Heartbeat } from './heartbeat.js';
import { within } from '../within.js';

/** How long a replica may take to answer. */
const answerMs = 1_000;

type Find = Heartbeat['find'];

/** One server for reads. */
export interface Replica {
  /** host:port, for people. */
  readonly place: string;
  /** Asks for its heartbeat, and opens its connections first if they are not open. Does not throw. */
  ask(withinMs?: number): Promise<void>;
  /** Whether the primary must be asked again before `judge`: the answer may be newer than what this process knows. */
  isUnknown(find: Find): boolean;
  /** Judges the last answer by what is known of the primary. */
  judge(find: Find): void;
  /** The newest heartbeat that it has applied; undefined while it cannot be used. */
  beat(): Beat | undefined;
  /** Why it cannot be used; undefined if it answers and follows the primary. */
  problem(): unknown;
  /** A read failed. @returns whether the replica is not used until it answers again */
  failed(error: unknown): boolean;
  /** For calls. */
  database(): ConnectedDatabase | undefined;
  close(): Promise<void>;
}

/**
 * It answers and has no heartbeat that this process knows: it copies another database, or has been behind since the
 * process started.
 */
class NotFollowing extends Error {
  override name = 'NotFollowing';
  constructor() {
    super('it is behind or does not follow the primary: it has no recent value of svc_heartbeat');
  }
}

/**
 * @param open opens its pool of `size` connections and checks that it is a copy of the primary
 * @param size one of them is for the questions
 */
export function createReplica(place: string, open: () => Promise<ConnectedDatabase>, size: number): Replica {
  let pool: ConnectedDatabase | undefined;
  let parts: Record<'calls' | 'probe', ConnectedDatabase> | undefined;
  let opening: Promise<void> | undefined;
  let isClosed = false;
  let problem: unknown;
  let answer: Buffer | null | undefined;
  let newest: Beat | undefined;

  const connect = async (): Promise<void> => {
    const opened = await open();
    if (isClosed) {
      await opened.close();
      return;
    }
    pool = opened;
    parts = { calls: opened.share(size - 1), probe: opened.share(1) };
  };
  const question = async (): Promise<void> => {
    if (!parts) await (opening ??= connect().finally(() => (opening = undefined)));
    const [row] = (await parts?.probe.rows<{ beat: Buffer | null }>(readOfReplica)) ?? [];
    answer = row?.beat;
  };

  return {
    place,
    async ask(withinMs = answerMs) {
      try {
        await within(withinMs, question());
        problem = undefined;
      } catch (error) {
        problem = error;
        newest = undefined;
        answer = undefined;
        // Statements of calls on a server that hangs would wait until TCP gives up.
        if (error instanceof DatabaseUnavailable) pool?.cut();
      }
    },
    isUnknown: (find) => answer !== undefined && answer !== null && find(answer) === undefined,
    judge(find) {
      if (problem !== undefined) return;
      newest = answer ? find(answer) : undefined;
      if (!newest) problem = new NotFollowing();
    },
    beat: () => newest,
    problem: () => problem,
    failed(error) {
      // A pool without a free connection says nothing about the server.
      if (!isConnectionLost(error) || error instanceof DatabaseUnavailable) return false;
      problem = error;
      newest = undefined;
      return true;
    },
    database: () => parts?.calls,
    async close() {
      isClosed = true;
      await opening?.catch(() => undefined);
      pool?.cut();
      await pool?.close();
    },
  };
}
