import type { DatabaseAddress } from '../address.js';
import { driverFacts, isUnavailable } from '../errors.js';
import { startProblem, type DatabaseProblem } from '../server/start-problem.js';

/** The server is not a copy of the primary's database. The message completes “The replica at … ”. */
export class NotACopy extends Error {
  override name = 'NotACopy';
}

const variable = 'SVC_DATABASE_READ_URL';

/** There is no such database. */
const unknownDatabase = 1049;
/** Too many connections; those of the user are used up. */
const busy = new Set([1040, 1203]);
/** The name or the network is not reachable at the moment. */
const unreachable = new Set(['EAI_AGAIN', 'ENETUNREACH']);

/**
 * What must be corrected before a replica can be used.
 * @param error the error of connecting to it, or of its first read
 * @returns undefined if it is only down or busy: svc starts without it, and uses it as soon as it answers
 */
export function replicaProblem(
  error: unknown,
  place: Omit<DatabaseAddress, 'password'>,
  where: string,
): DatabaseProblem | undefined {
  if (error instanceof NotACopy)
    return {
      message: `The replica at ${where} ${error.message}.`,
      fix: `Correct ${variable}: each of its servers must be a replica of the primary in SVC_DATABASE_URL.`,
    };
  const { errno, code = '' } = driverFacts(error);
  if (errno === unknownDatabase)
    return {
      message: `The replica at ${where} has no database "${place.database}".`,
      fix: `Give the replica's database the name that it has in SVC_DATABASE_URL, or correct ${variable}.`,
    };
  if (isUnavailable(error) || unreachable.has(code) || (errno !== undefined && busy.has(errno))) return undefined;
  return startProblem(error, place, {
    variable,
    grant: (account) => `GRANT SELECT ON \`${place.database}\`.* TO ${account};`,
  });
}
