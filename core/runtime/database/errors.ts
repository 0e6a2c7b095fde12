/** No connection to the database could be had: the server is away, or every connection stayed busy for 2 s. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** A racer committed what this transaction had looked for in vain: rolling back all of it and running it again is right. */
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

/** What the driver said of an error, through TypeORM's wrapping or without. */
function driverFacts(error: unknown): DriverFacts {
  const inner = field(error, 'driverError') ?? error;
  const errno = field(inner, 'errno');
  const code = field(inner, 'code');
  return {
    errno: typeof errno === 'number' ? errno : undefined,
    code: typeof code === 'string' ? code : undefined,
    fatal: field(inner, 'fatal') === true,
  };
}

/** Lock wait time-out; deadlock; "record has changed since last read" (the snapshot conflict of newer MariaDB). */
const conflicts = new Set([1205, 1213, 1020]);
/** Too many connections; shutdown; gone away; lost; killed; statement interrupted by a kill. */
const lostErrnos = new Set([1040, 1053, 2006, 2013, 1927, 1317]);
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

/** Another transaction was in the way: rolling back all of it and running it again is right. */
export function isConflict(error: unknown): boolean {
  if (error instanceof RetryTransaction) return true;
  const { errno } = driverFacts(error);
  return errno !== undefined && conflicts.has(errno);
}

/** The server has rolled the whole transaction back: what is asked next on its connection would commit by itself. */
export const isDeadlock = (error: unknown): boolean => driverFacts(error).errno === 1213;

/** The connection is gone. A killed one may surface with neither code nor errno, only `fatal`. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const { errno, code, fatal } = driverFacts(error);
  return (
    (errno !== undefined && lostErrnos.has(errno)) ||
    (code !== undefined && lostCodes.has(code)) ||
    (fatal && errno === undefined)
  );
}

/** A unique index had the last word (ER_DUP_ENTRY), on the named index where one is given. */
export function isDuplicate(error: unknown, index?: string): boolean {
  if (driverFacts(error).errno !== 1062) return false;
  // At the message's end, with its table before it on MySQL: the value that was refused stands in the message too.
  const named = / for key '(?:[^'.]+\.)?([^'.]+)'$/.exec(String(field(error, 'message')))?.[1];
  return index === undefined || index === named;
}

/** The statement would have waited for a lock and was told not to (1205 at a time-out of 0; 3572 for NOWAIT). */
export function isLockRefused(error: unknown): boolean {
  const { errno } = driverFacts(error);
  return errno === 1205 || errno === 3572;
}

/** Table, column or index exists already; there is nothing of that name to drop. */
const doneErrnos = new Set([1050, 1060, 1061, 1091]);

/** Does the error say that this DDL statement has had its effect already? A rename no longer finds the old name (1054, 1146). */
export function isSchemaChangeDone(error: unknown, sql: string): boolean {
  const { errno = 0 } = driverFacts(error);
  if (doneErrnos.has(errno)) return true;
  return (errno === 1054 && /\bRENAME COLUMN\b/i.test(sql)) || (errno === 1146 && /^\s*RENAME TABLE\b/i.test(sql));
}
