import { setTimeout as pause } from 'node:timers/promises';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { databaseAddress, placeOfHost, type DatabaseHost } from '../address.js';
import { driverOptions, type DatabaseTarget } from '../driver-options.js';
import { DatabaseUnavailable, isUnavailable } from '../errors.js';
import { within } from '../within.js';

/** How long a host may take to connect and answer. A slower one counts as unusable. */
const answerMs = 1_000;

/**
 * How long a Galera node may take to catch up. Until the cluster has excluded a node that died (5 s by default), it
 * takes part in nothing, and its statements wait.
 */
const catchUpMs = 3_000;

/** How long a start waits for a primary: a fail-over may be in progress. */
const patienceMs = 10_000;
const retryMs = 250;

/** A server that answers, but whose commits never finish, because its cluster has lost the majority. */
export class NoMajority extends DatabaseUnavailable {
  override name = 'NoMajority';
}

/** What one host said about itself. */
interface HostAnswer {
  readonly host: DatabaseHost;
  /** Why it cannot be the primary; undefined if it can. */
  readonly problem?: unknown;
  /** The Galera cluster or the replication group that it is a member of. */
  readonly cluster?: string | undefined;
  /** A Galera node that is copying its data to another node (a donor), which slows it down. */
  readonly isDonor?: boolean;
}

/** No host of SVC_DATABASE_URL can be used, or several servers that do not know each other accept changes. */
export class NoPrimary extends DatabaseUnavailable {
  override name = 'NoPrimary';
  constructor(
    readonly answers: readonly HostAnswer[],
    /** Several accept changes. */
    readonly isSplit: boolean,
  ) {
    const each = answers.map(({ host, problem }) => `${placeOfHost(host)}: ${reasonOf(problem)}`).join('; ');
    super(`${isSplit ? 'Several database servers accept changes' : 'No database server can be used'} (${each}).`);
  }
}

const reasonOf = (problem: unknown): string => {
  if (problem === undefined) return 'accepts changes';
  if (!(problem instanceof Error)) return 'gave no reason';
  return problem.message === '' ? problem.name : problem.message.replace(/\.$/, '');
};

/** The host to use, the problem to report to the operator, or both. */
export interface Choice {
  readonly primary?: HostAnswer;
  readonly problem?: NoPrimary;
}

/**
 * Which host to use. Members of one cluster that all accept changes are one database: every process takes the first of
 * them in the order of the URL. Servers that are not of one cluster are several databases, and only a person knows
 * which one has the truth.
 * @param present the host in use: it stays the primary while several servers accept changes
 */
export function choosePrimary(answers: readonly HostAnswer[], present?: DatabaseHost): Choice {
  const usable = answers.filter(({ problem }) => problem === undefined);
  const [first] = usable;
  if (!first) return { problem: new NoPrimary(answers, false) };
  const isOne =
    usable.length === 1 || (first.cluster !== undefined && usable.every(({ cluster }) => cluster === first.cluster));
  if (isOne) return { primary: usable.find(({ isDonor }) => isDonor !== true) ?? first };
  const kept = usable.find(({ host }) => host === present);
  return { ...(kept && { primary: kept }), problem: new NoPrimary(answers, true) };
}

/** Asks all hosts, each over a connection that it keeps. */
export interface Inquiry {
  readonly hosts: readonly DatabaseHost[];
  /** Asks all hosts at the same time. @returns their answers in the order of the URL, after a second at most */
  ask(): Promise<HostAnswer[]>;
  /**
   * Waits until a Galera node has applied all that its cluster has committed.
   * @throws the driver's error; DatabaseUnavailable after 3 s
   */
  catchUp(answer: HostAnswer): Promise<void>;
  close(): void;
}

/** @param onLost called when an open connection to a host is lost */
export function createInquiry(target: DatabaseTarget, onLost: (host: DatabaseHost) => void = () => undefined): Inquiry {
  const { hosts } = databaseAddress(target.url);
  const open = new Map<DatabaseHost, Promise<Connection>>();

  const connectTo = (host: DatabaseHost): Promise<Connection> => {
    // Not to the database, which may not exist yet.
    const { database: _, ...server } = driverOptions(target, host);
    const connecting = createConnection({ ...server, connectTimeout: answerMs }).then((connection) => {
      connection.on('error', () => {
        if (open.get(host) !== connecting) return;
        open.delete(host);
        onLost(host);
      });
      return connection;
    });
    open.set(host, connecting);
    return connecting;
  };
  const drop = (host: DatabaseHost): void => {
    const dropped = open.get(host);
    open.delete(host);
    dropped?.then(
      (connection) => connection.destroy(),
      () => undefined, // It was never open.
    );
  };
  /** Runs `question` on the connection to a host, for `withinMs` at most. */
  async function on<T>(
    host: DatabaseHost,
    withinMs: number,
    question: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    try {
      return await within(withinMs, (open.get(host) ?? connectTo(host)).then(question));
    } catch (error) {
      drop(host);
      throw error;
    }
  }
  return {
    hosts,
    ask: () =>
      Promise.all(
        hosts.map((host) =>
          on(host, answerMs, (connection) => answerOf(host, connection)).catch((problem: unknown) => ({
            host,
            problem,
          })),
        ),
      ),
    async catchUp({ host, cluster }) {
      if (cluster === undefined) return;
      await on(host, catchUpMs, async (connection) => {
        const [settings] = await connection.query<RowDataPacket[]>("SHOW VARIABLES LIKE 'wsrep_sync_wait'");
        if (settings.length === 0) return;
        await connection.query('SET SESSION wsrep_sync_wait = 1');
        await connection.query('SELECT 1');
        await connection.query('SET SESSION wsrep_sync_wait = 0');
      });
    },
    close: () => hosts.forEach(drop),
  };
}

type Named = RowDataPacket & { Variable_name: string; Value: string };

// SHOW also answers on servers that do not have the variable, and on Galera nodes outside the cluster.
const variables =
  "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'innodb_read_only', 'wsrep_on', 'group_replication_group_name', 'server_uuid')";
const galera =
  "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_cluster_status', 'wsrep_cluster_state_uuid', 'wsrep_local_state_comment')";
const group =
  'SELECT MEMBER_ID AS id, MEMBER_STATE AS state, MEMBER_ROLE AS role FROM performance_schema.replication_group_members';

async function named(connection: Connection, sql: string): Promise<ReadonlyMap<string, string>> {
  const [rows] = await connection.query<Named[]>(sql);
  return new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
}

/** @throws the driver's error; DatabaseUnavailable if the server accepts no changes */
async function answerOf(host: DatabaseHost, connection: Connection): Promise<HostAnswer> {
  const server = await named(connection, variables);
  // MariaDB 12 has more words than ON for read_only. super_read_only turns read_only on.
  if ((server.get('read_only') ?? 'OFF') !== 'OFF' || (server.get('innodb_read_only') ?? 'OFF') !== 'OFF')
    throw new DatabaseUnavailable('It is read-only.');
  if (server.get('wsrep_on') === 'ON') return { host, ...galeraMember(await named(connection, galera)) };
  const groupName = server.get('group_replication_group_name') ?? '';
  if (groupName === '') return { host };
  const [members] = await connection.query<(RowDataPacket & { id: string; state: string; role: string })[]>(group);
  requirePrimaryMember(members, server.get('server_uuid') ?? '');
  return { host, cluster: groupName };
}

function galeraMember(status: ReadonlyMap<string, string>): Pick<HostAnswer, 'cluster' | 'isDonor'> {
  const state = status.get('wsrep_local_state_comment') ?? 'unknown';
  if (status.get('wsrep_cluster_status') !== 'Primary')
    throw new NoMajority('It is in a part of its Galera cluster that has no majority.');
  const isDonor = state.startsWith('Donor');
  if (status.get('wsrep_ready') !== 'ON' || (state !== 'Synced' && !isDonor))
    throw new DatabaseUnavailable(`It is not ready: its Galera state is ${state}.`);
  return { cluster: status.get('wsrep_cluster_state_uuid'), isDonor };
}

/** A member that has lost the majority still reports itself as ONLINE and PRIMARY, but its commits never finish. */
function requirePrimaryMember(members: readonly { id: string; state: string; role: string }[], id: string): void {
  const own = members.find((member) => member.id === id);
  const unreachable = members.filter(({ state }) => state === 'UNREACHABLE').length;
  if (own?.state !== 'ONLINE' || own.role !== 'PRIMARY')
    throw new DatabaseUnavailable(
      `It is not the primary of its replication group: ${own ? `${own.role || 'no role'}, ${own.state}` : 'not a member'}.`,
    );
  if (unreachable * 2 >= members.length)
    throw new NoMajority('It is in a part of its replication group that has no majority.');
}

/**
 * The server to connect to. It waits up to 10 s if no server accepts changes and one of them may soon.
 * @returns the only host, without asking it; the primary if there are several
 * @throws NoPrimary, which states for each host why it cannot be used
 */
export async function findPrimary(target: DatabaseTarget): Promise<DatabaseHost> {
  const [only, ...others] = databaseAddress(target.url).hosts;
  if (others.length === 0) return only;
  const inquiry = createInquiry(target);
  const began = performance.now();
  try {
    for (;;) {
      const answers = await inquiry.ask();
      const { primary, problem } = choosePrimary(answers);
      if (primary) return primary.host;
      const mayChange = problem?.isSplit === false && answers.some((answer) => isUnavailable(answer.problem));
      if (!mayChange || performance.now() - began > patienceMs) throw problem ?? new NoPrimary(answers, false);
      await pause(retryMs);
    }
  } finally {
    inquiry.close();
  }
}
