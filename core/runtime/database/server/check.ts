import type { ConnectedDatabase } from '../connect.js';
import { DatabaseUnavailable } from '../errors.js';
import type { Session } from '../session.js';
import { statementBinlog, type DatabaseProblem } from './start-problem.js';

const oldest = { mariadb: [10, 6, 0], mysql: [8, 0, 22] } as const;

function isOlder(version: string, wanted: readonly number[]): boolean {
  const parts = version.split(/[.-]/).map(Number);
  for (const [index, least] of wanted.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

/**
 * Checks whether the server accepts changes. A replica, and a primary after a fail-over, are read-only.
 * @throws DatabaseUnavailable if it does not; the driver's error if it does not answer
 */
export async function assertWritable(database: Pick<Session, 'rows'>): Promise<void> {
  const [server] = await database.rows<{ readOnly: unknown; innodb: unknown }>(
    'SELECT @@global.read_only AS readOnly, @@global.innodb_read_only AS innodb',
  );
  // MariaDB 12 answers with a word.
  const isOn = (value: unknown): boolean => !['0', 'OFF'].includes(String(value));
  if (isOn(server?.readOnly) || isOn(server?.innodb)) throw new DatabaseUnavailable('The database is read-only.');
}

/** Checks the server's version and settings. @returns the problems; empty when there are none */
export async function databaseProblems(database: ConnectedDatabase): Promise<DatabaseProblem[]> {
  const [server] = await database.rows<{
    version: string;
    flush: number;
    packet: number | string;
  }>(
    'SELECT VERSION() AS version, @@global.innodb_flush_log_at_trx_commit AS flush, @@global.max_allowed_packet AS packet',
  );
  if (!server) return [];
  const problems: DatabaseProblem[] = [];
  const least = oldest[database.flavour];
  if (isOlder(server.version, least)) {
    problems.push({
      message: `The server is ${database.flavour} ${server.version}.`,
      fix: `Upgrade it to ${least.join('.')} or newer: svc claims work with SKIP LOCKED and nests UNIONs.`,
    });
  }
  if (server.flush !== 1) {
    problems.push({
      message: `innodb_flush_log_at_trx_commit is ${server.flush}: a crash of the server loses answers already given.`,
      fix: 'SET GLOBAL innodb_flush_log_at_trx_commit = 1, and set it in the server’s configuration.',
    });
  }
  if (Number(server.packet) < 16 * 1024 * 1024) {
    problems.push({
      message: `max_allowed_packet is ${server.packet} bytes: messages with attachments do not pass.`,
      fix: 'Set max_allowed_packet = 64M in the server’s configuration.',
    });
  }
  // SHOW also works on servers that do not have the variable.
  const binlog = await database.rows<{ Variable_name: string; Value: string }>(
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('log_bin', 'binlog_format')",
  );
  const valueOf = (name: string): string | undefined => binlog.find((row) => row.Variable_name === name)?.Value;
  if (valueOf('log_bin') === 'ON' && valueOf('binlog_format') === 'STATEMENT') problems.push(statementBinlog);
  return problems;
}
