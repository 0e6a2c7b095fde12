/** The database cannot be used now: it cannot be reached, accepts no changes, or has no free connection. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The server answers, but commits nothing: its disk is full, or it is locked (commits.ts). Reads may go on. */
export class NoCommits extends DatabaseUnavailable {
  override name = 'NoCommits';
}

/** Thrown by a transaction that must run again: another one has just committed a row that this one did not find. */
export class RetryTransaction extends Error {
  override name = 'RetryTransaction';
}

interface DriverFacts {
  errno: number | undefined;
  code: string | undefined;
  fatal: boolean;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/** The driver's fields of an error, wrapped by TypeORM or not. */
export function driverFacts(error: unknown): DriverFacts {
  const inner = field(error, 'driverError') ?? error;
  const errno = field(inner, 'errno');
  const code = field(inner, 'code');
  return {
    errno: typeof errno === 'number' ? errno : undefined,
    code: typeof code === 'string' ? code : undefined,
    fatal: field(inner, 'fatal') === true,
  };
}

/**
 * The server's own message. Vitess puts the shard in front of it, and behind it the statement with its values, which
 * may be secrets: `target: svc.0.primary: vttablet: rpc error: code = AlreadyExists desc = Duplicate entry … (errno
 * 1062) (sqlstate 23000) (CallerID: app): Sql: "…", BindVars: {…}`.
 * @returns the message without them; as it is, if it is not of this form
 */
export function serverMessage(message: string): string {
  if (!message.includes('vttablet: rpc error: ')) return message;
  // The last one: in the statement and in its values, quotes are escaped; in a refused value before it they are not.
  const end = message.lastIndexOf(': Sql: "');
  if (end === -1) return message;
  return message
    .slice(0, end)
    .replace(/ \(errno \d+\) \(sqlstate \w{5}\)(?: \(CallerID: [^)]*\))?$/, '')
    .replace(/^target: \S+ vttablet: rpc error: code = \S+ desc = /, '');
}

/**
 * Lock wait time-out; deadlock; "record has changed since last read" (MariaDB 10.6.18 and later); another member of the
 * group changed the same rows first (Group Replication; Galera).
 */
const conflicts = new Set([1205, 1213, 1020, 3101, 1180]);
/**
 * Too many connections, also of one user; shutdown; a proxy cannot reach the server; gone away; lost; killed; statement
 * interrupted by a kill; a Galera node that is not ready.
 */
const lostErrnos = new Set([1040, 1203, 1053, 2002, 2003, 2006, 2013, 1927, 1317, 1047]);
/**
 * Messages of Vitess while no tablet accepts changes, as during a fail-over, and when the tablet of a transaction is
 * gone. They have no specific number (1105, unknown error).
 */
const noTablet =
  /^(?:VT15001|VT09032|VT1400[1-3])\b|^target: \S+ (?:no healthy tablet|vttablet: rpc error: code = (?:Unavailable|Code\(17\)))/;
/** Read-only mode; a read-only transaction; InnoDB is read-only. */
const readOnlyErrnos = new Set([1836, 1792, 1874]);
const lostCodes = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);

/** The process or the machine has no file descriptor, port or buffer left for another connection or file. */
const exhaustedCodes = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS']);

const isExhausted = (error: unknown): boolean => exhaustedCodes.has(driverFacts(error).code ?? '');

/** A statement read or changed more rows than Vitess allows, and would again. The number is that of a kill (1317). */
const isRowLimit = (error: unknown): boolean => /row count exceeded \d+/i.test(String(field(error, 'message')));

/** A conflict with another transaction: roll back the whole transaction and run it again. */
export function isConflict(error: unknown): boolean {
  if (error instanceof RetryTransaction) return true;
  const { errno } = driverFacts(error);
  return errno !== undefined && conflicts.has(errno);
}

/**
 * After a deadlock the server has rolled back the whole transaction: the next statement on the connection would commit
 * by itself.
 */
export const isDeadlock = (error: unknown): boolean => driverFacts(error).errno === 1213;

/**
 * The server takes no changes: it is a replica, or was the primary before a fail-over. Its connections are of no use
 * (see pool.ts). 1290 names the option that forbids the statement.
 */
export function isReadOnlyServer(error: unknown): boolean {
  const { errno } = driverFacts(error);
  if (errno === 1290) return /read[-_]only/i.test(String(field(error, 'message')));
  return errno !== undefined && readOnlyErrnos.has(errno);
}

/**
 * The connection is gone, or leads to a server that takes no changes. The error of a killed one may only have `fatal`.
 */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable || isReadOnlyServer(error)) return true;
  const { errno, code, fatal } = driverFacts(error);
  return (
    (errno !== undefined && lostErrnos.has(errno) && !isRowLimit(error)) ||
    (code !== undefined && (lostCodes.has(code) || exhaustedCodes.has(code))) ||
    (errno === 1105 && noTablet.test(String(field(error, 'message')))) ||
    (fatal && errno === undefined)
  );
}

/**
 * Disk full, by the file layer and by the server; table full; the undo log is full; a temporary file cannot be written.
 */
const fullDiskErrnos = new Set([20, 1021, 1114, 3019, 1878]);
/** Errors of files and of the storage engine, which name the operating system's error in their message. */
const fileErrnos = new Set([3, 1004, 1005, 1025, 1026, 1030, 1180, 1296]);

/** The server's disk has no space left (28, ENOSPC). A transaction that failed with it is still open. */
export function isDiskFull(error: unknown): boolean {
  const { errno } = driverFacts(error);
  if (errno === undefined) return false;
  return (
    fullDiskErrnos.has(errno) ||
    (fileErrnos.has(errno) && /\b(?:errno|errcode|error):? 28\b/i.test(String(field(error, 'message'))))
  );
}

/**
 * No statement can run, or none that changes data: the connection is lost or cannot be opened, the server is read-only,
 * or its disk is full. The work that fails with this error did not cause it and is retried.
 */
export const isUnavailable = (error: unknown): boolean => isConnectionLost(error) || isDiskFull(error);

/** The server still answers reads, but commits nothing at the moment. What only counts must not make reads fail. */
export const isWithoutCommits = (error: unknown): boolean =>
  [error, field(error, 'cause'), field(error, 'driverError')].some((each) => each instanceof NoCommits) ||
  isDiskFull(error);

/** Why svc cannot answer, for an error of isUnavailable(): it completes “svc cannot answer: …”. */
export function lossOf(error: unknown): string {
  if (isDiskFull(error)) return 'the disk of its database is full';
  if (isWithoutCommits(error)) return 'its database commits nothing at the moment';
  if (isExhausted(error) || isExhausted(field(error, 'cause')))
    return 'its machine has no free file descriptor or port at the moment';
  return isReadOnlyServer(error) || isReadOnlyServer(field(error, 'cause'))
    ? 'its database takes no changes at the moment'
    : 'its database cannot be reached';
}

/** Whether a unique index refused the row (ER_DUP_ENTRY). @param index its name; without it, any unique index counts */
export function isDuplicate(error: unknown, index?: string): boolean {
  if (driverFacts(error).errno !== 1062) return false;
  // The index is at the end of the message, on MySQL after its table's name. The message also holds the refused value.
  const named = / for key '(?:[^'.]+\.)?([^'.]+)'$/.exec(String(field(error, 'message')))?.[1];
  return index === undefined || index === named;
}

/**
 * The statement must not wait for a lock, and another transaction holds it (1205 with a time-out of 0; 3572 for
 * NOWAIT).
 */
export function isLockRefused(error: unknown): boolean {
  const { errno } = driverFacts(error);
  return errno === 1205 || errno === 3572;
}

/**
 * A value does not fit into its column: too long, out of range, or no time of a DATETIME.
 * @returns the column's name; empty if the message does not name it; undefined for other errors
 */
export function refusedColumn(error: unknown): string | undefined {
  const { errno } = driverFacts(error);
  if (errno === undefined || !valueErrnos.has(errno)) return undefined;
  return (
    / for column (?:`[^`]*`\.`[^`]*`\.)?[`']([^`']+)[`'] at row \d+$/.exec(String(field(error, 'message')))?.[1] ?? ''
  );
}

/** Data too long; out of range; incorrect date or time, or text; invalid value. */
const valueErrnos = new Set([1406, 1264, 1292, 1366, 1411]);

/** A statement took longer than its time limit: max_statement_time of MariaDB, MAX_EXECUTION_TIME of MySQL. */
export function isStatementTimeout(error: unknown): boolean {
  const { errno } = driverFacts(error);
  return errno === 1969 || errno === 3024;
}

/** The table, column or index already exists, or the name to drop does not exist. */
const doneErrnos = new Set([1050, 1060, 1061, 1091]);

/** The DDL statement has had its effect already. A rename no longer finds the old name (1054, 1146). */
export function isSchemaChangeDone(error: unknown, sql: string): boolean {
  const { errno = 0 } = driverFacts(error);
  if (doneErrnos.has(errno)) return true;
  return (errno === 1054 && /\bRENAME COLUMN\b/i.test(sql)) || (errno === 1146 && /^\s*RENAME TABLE\b/i.test(sql));
}
