import type { Holder } from '../../holder.js';
import { placeOf, databaseAddress, urlOfEach } from '../address.js';
import type { ConnectedDatabase, ConnectOptions } from '../connect.js';
import { connectDatabase } from '../connect.js';
import type { Reader } from '../connection.js';
import type { Session } from '../session.js';
import { requireCopy } from './copy.js';
import { createHeartbeat } from './heartbeat.js';
import { NotACopy } from './problem.js';
import { createReplica, type Replica } from './replica.js';
import { within } from '../within.js';

/** From the beginning of one round of questions to the next. */
const roundMs = 1_000;
/** After a read has failed. */
const soonMs = 50;
/** How long a round waits for the primary. */
const primaryMs = 1_000;
/** How long a start waits for the replicas. */
const patienceMs = 6_000;

/** What a person should know about: a replica is used, or is no longer. */
export type ReplicaReport =
  | { readonly kind: 'used'; readonly place: string }
  | { readonly kind: 'unused'; readonly place: string; readonly reason: string };

interface ReplicasOptions extends Pick<ConnectOptions, 'entities' | 'waits' | 'tls'> {
  /** Several hosts are several replicas. */
  readonly url: string;
  /** Connections to each. */
  readonly poolSize: number;
  readonly primary: Pick<Session, 'batch' | 'rows'> & Pick<ConnectedDatabase, 'flavour'>;
  /** host:port of the present primary. */
  readonly primaryPlace: () => string;
  /** Older than this, a replica is not used. */
  readonly limitMs: number;
  readonly report: (report: ReplicaReport) => void;
  /** This process's clock in milliseconds; tests move it. */
  readonly now?: () => number;
}

/** A session on a replica, for the reads of one call. */
interface ReplicaReader extends Reader {
  /** The reader finds everything that was committed before this time. */
  readonly asOf: Date;
  /** To be called with an error of the reads. */
  readonly failed: (error: unknown) => void;
}

export interface ReplicaStatus {
  readonly place: string;
  readonly isUsed: boolean;
  /** How old its data may be, in milliseconds; undefined while that is unknown. */
  readonly ageMs: number | undefined;
  /** Calls that it has answered, and calls that were repeated on the primary. */
  readonly answered: number;
  readonly repeated: number;
}

/** The servers of SVC_DATABASE_READ_URL. */
export interface Replicas {
  /**
   * Opens a session on a replica whose data is at most `maxAgeMs` old.
   * @param holder see ConnectedDatabase.openReader
   * @returns undefined if there is none: the primary is to be read
   */
  openReader(holder: Holder | undefined, maxAgeMs: number): ReplicaReader | undefined;
  status(): ReplicaStatus[];
  /** The error of each replica that cannot be used. */
  problems(): { readonly url: string; readonly place: string; readonly problem: unknown }[];
  close(): Promise<void>;
}

interface Member {
  readonly url: string;
  readonly replica: Replica;
  answered: number;
  repeated: number;
  /** As it was last reported. */
  wasUsed?: boolean;
}

/**
 * Opens the replicas, and asks each of them every second how much it has applied. Waits up to 6 s for their first
 * answers. It does not throw: a replica that cannot be used is used as soon as it answers.
 */
export async function openReplicas(options: ReplicasOptions): Promise<Replicas> {
  const { primary, primaryPlace, limitMs, report, now = () => performance.now() } = options;
  const heartbeat = createHeartbeat(now);
  const members = urlOfEach(options.url).map((url): Member => ({
    url,
    replica: createReplica(placeOf(databaseAddress(url)), () => openOne(options, url), options.poolSize),
    answered: 0,
    repeated: 0,
  }));
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  let askedAt = performance.now();
  /** What was sent to the primary and is not answered. It must not hold more than one connection. */
  let unanswered: Promise<void> | undefined;
  let isAsking = false;
  let isClosed = false;

  const ageOf = ({ replica }: Member): number | undefined => {
    const beat = replica.beat();
    return beat && Math.max(0, now() - beat.writtenAt);
  };
  /** Why it is not used; undefined if it is. */
  const reasonOf = (member: Member): string | undefined => {
    const { place } = member.replica;
    if (place === primaryPlace()) return 'it is the primary';
    const problem = member.replica.problem();
    if (problem !== undefined) return textOf(problem);
    const ageMs = ageOf(member);
    if (ageMs === undefined) return 'it has not answered yet';
    return ageMs > limitMs ? `it is ${Math.round(ageMs / 1000)} s behind the primary` : undefined;
  };
  const reportChanges = (): void => {
    for (const member of members) {
      const reason = reasonOf(member);
      const isUsed = reason === undefined;
      if (isUsed === member.wasUsed || isClosed) continue;
      member.wasUsed = isUsed;
      const { place } = member.replica;
      report(isUsed ? { kind: 'used', place } : { kind: 'unused', place, reason });
    }
  };
  /** If the primary does not answer, nothing new is committed, and the data of the replicas gets older. */
  const askPrimary = async (question: () => Promise<void>): Promise<void> => {
    if (unanswered) return;
    unanswered = question().finally(() => (unanswered = undefined));
    await within(primaryMs, unanswered).catch(() => undefined);
  };
  const round = async (withinMs?: number): Promise<void> => {
    isAsking = true;
    askedAt = performance.now();
    await askPrimary(() => heartbeat.beat(primary));
    await Promise.all(members.map(({ replica }) => replica.ask(withinMs)));
    if (members.some(({ replica }) => replica.isUnknown(heartbeat.find)))
      await askPrimary(() => heartbeat.look(primary));
    for (const { replica } of members) replica.judge(heartbeat.find);
    isAsking = false;
    reportChanges();
  };
  const schedule = (afterMs: number): void => {
    clearTimeout(timer);
    if (isClosed) return;
    const waitMs = Math.max(0, askedAt + afterMs - performance.now());
    timer = setTimeout(() => void round().finally(() => schedule(roundMs)), waitMs);
  };
  const failed = (member: Member, error: unknown): void => {
    member.repeated += 1;
    if (!member.replica.failed(error)) return;
    reportChanges();
    if (!isAsking) schedule(soonMs);
  };
  const choose = (maxAgeMs: number): Member | undefined => {
    next = (next + 1) % members.length;
    return [...members.slice(next), ...members.slice(0, next)].find((member) => {
      if (reasonOf(member) !== undefined) return false;
      return (ageOf(member) ?? Infinity) <= maxAgeMs;
    });
  };

  await round(patienceMs);
  schedule(roundMs);
  return {
    openReader(holder, maxAgeMs) {
      const member = maxAgeMs > 0 ? choose(Math.min(maxAgeMs, limitMs)) : undefined;
      const beat = member?.replica.beat();
      const database = member?.replica.database();
      if (!member || !beat || !database) return undefined;
      member.answered += 1;
      return {
        ...database.openReader(holder),
        asOf: beat.at,
        failed(error) {
          member.answered -= 1;
          failed(member, error);
        },
      };
    },
    status: () =>
      members.map((member) => ({
        place: member.replica.place,
        isUsed: reasonOf(member) === undefined,
        ageMs: ageOf(member),
        answered: member.answered,
        repeated: member.repeated,
      })),
    problems: () =>
      members.flatMap(({ url, replica }) => {
        const problem = replica.problem();
        return problem === undefined ? [] : [{ url, place: replica.place, problem }];
      }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all(members.map(({ replica }) => replica.close()));
    },
  };
}

async function openOne(
  { tls, entities, waits, poolSize, primary }: ReplicasOptions,
  url: string,
): Promise<ConnectedDatabase> {
  const database = await connectDatabase({
    url,
    tls,
    poolSize,
    ...(entities && { entities }),
    ...(waits && { waits }),
  });
  try {
    await requireCopy(primary, database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function textOf(problem: unknown): string {
  if (problem instanceof NotACopy) return `it ${problem.message}`;
  const said = problem instanceof Error ? problem.message : String(problem);
  return said === '' ? 'it cannot be reached' : said.replace(/\.$/, '').replace(/^It /, 'it ');
}
