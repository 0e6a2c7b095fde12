import { placeOf, type DatabaseAddress } from '../address.js';
import { NoPrimary } from '../primary/find.js';
import { driverFacts, isDiskFull, isReadOnlyServer } from '../errors.js';

/** A version, setting or right of the server with which svc cannot work or cannot keep its promises. */
export interface DatabaseProblem {
  message: string;
  fix: string;
}

type Place = Omit<DatabaseAddress, 'password'>;

const unreachable = new Set(['ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Nothing exists at the path, it is not a socket, or this user may not use it. */
const socketCodes = new Set(['ENOENT', 'ENOTSOCK', 'EACCES']);
/** No access to the database; a command, a column or a routine is denied; a privilege of the server is missing. */
const missingRights = new Set([1044, 1142, 1143, 1227, 1370]);
/** Node's codes for certificates that it does not accept. */
const certificateCodes = /CERT|UNABLE_TO|SELF_SIGNED|SSL|TLS/;

/** The setting that names the server, and the rights that svc needs there. */
interface Use {
  readonly variable: string;
  /** The statements that an administrator runs for the user's account. */
  readonly grant: (account: string) => string;
}

/**
 * Why svc cannot use its database at the start, and how to correct it.
 * @param error the error of connecting or migrating
 * @param use by default that of the primary
 * @returns undefined for errors that no setting solves
 */
export function startProblem(
  error: unknown,
  place: Place,
  { variable, grant }: Use = ofPrimary(place),
): DatabaseProblem | undefined {
  if (error instanceof NoPrimary) return noPrimaryProblem(error);
  const { errno, code = '' } = driverFacts(error);
  const said = error instanceof Error ? error.message : String(error);
  const { user, database, hosts } = place;
  const [{ socketPath }] = hosts;
  const where = placeOf(place);
  const account = /'[^']*'@'[^']*'/.exec(said)?.[0] ?? `'${user}'@'%'`;
  if (unreachable.has(code) || (socketPath !== undefined && socketCodes.has(code)))
    return {
      message: `No database server can be reached at ${where} (${code}).`,
      fix: `Start the database server, or correct ${socketPath === undefined ? 'host and port' : 'socketPath'} in ${variable}.`,
    };
  if (errno === 3159)
    return {
      message: `The database server at ${where} only accepts encrypted connections.`,
      fix: 'Set SVC_DATABASE_TLS=verify, and SVC_DATABASE_TLS_CA to the file of the authority that signed its certificate.',
    };
  if (errno === 1045 || errno === 1698)
    return {
      message: `The database server at ${where} refuses the user "${user}": ${said}.`,
      fix: `Correct user and password in ${variable}. A user created with REQUIRE SSL or REQUIRE X509 needs SVC_DATABASE_TLS too.`,
    };
  if (errno !== undefined && missingRights.has(errno))
    return {
      message: `The user "${user}" lacks rights on the database "${database}": ${said}.`,
      fix: `As an administrator of the server: ${grant(account)}`,
    };
  if (isReadOnlyServer(error))
    return {
      message: `The database server at ${where} is read-only: ${said}.`,
      fix: 'Point SVC_DATABASE_URL to the primary, or make this server writable: SET GLOBAL read_only = OFF.',
    };
  if (isDiskFull(error))
    return {
      message: `The disk of the database server at ${where} is full: ${said}.`,
      fix: 'Free space there, then start svc again: it continues where it stopped.',
    };
  if (errno === 1665) return statementBinlog;
  if (errno === 1105 && said.includes('direct DDL is disabled'))
    return {
      message: `Vitess at ${where} refuses the migrations of svc: ${said}.`,
      fix: 'Start vtgate with --enable-direct-ddl=true; on PlanetScale, disable “safe migrations” for the branch.',
    };
  if (errno === 1040 || errno === 1203)
    return {
      message: `The database server at ${where} has no free connection: ${said}.`,
      fix: 'Raise max_connections in the server’s configuration, or lower SVC_DATABASE_POOL of all nodes.',
    };
  if (certificateCodes.test(code))
    return {
      message: `No trusted encrypted connection to the database server at ${where}: ${said}.`,
      fix: 'Correct SVC_DATABASE_TLS and SVC_DATABASE_TLS_CA (docs/operating.md, Database), or enable TLS on the server.',
    };
  return undefined;
}

const ofPrimary = ({ database }: Place): Use => ({
  variable: 'SVC_DATABASE_URL',
  grant: (account) =>
    `CREATE DATABASE IF NOT EXISTS \`${database}\` CHARACTER SET utf8mb4; GRANT ALL PRIVILEGES ON \`${database}\`.* TO ${account};`,
});

/** Why no server of several can be used, and how to correct it. */
export const noPrimaryProblem = ({ message, isSplit }: NoPrimary): DatabaseProblem => ({
  message,
  fix: isSplit
    ? 'Only one of them has the current data. Make the others read-only (SET GLOBAL read_only = ON), or remove them from SVC_DATABASE_URL.'
    : 'Make one of them the primary: start it, let svc’s user connect to it, and SET GLOBAL read_only = OFF. Or correct the hosts in SVC_DATABASE_URL.',
});

/** InnoDB refuses every write of READ COMMITTED transactions then. */
export const statementBinlog: DatabaseProblem = {
  message: 'binlog_format is STATEMENT: the server refuses the transactions of svc, which are READ COMMITTED.',
  fix: 'SET GLOBAL binlog_format = ROW, and set it in the server’s configuration.',
};
