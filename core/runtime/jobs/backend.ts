import type { Database } from '#core/runtime/database/session.js';
import { mysqlBackend } from './mysql-backend/index.js';
import type { JobsBackend } from './scheduler.js';

const mend =
  'Set it to mongodb://… or mongodb+srv://…, or leave it unset: the jobs are then kept in the MySQL database.';

/**
 * Where the recurring jobs are kept, connected: in `database` when `jobsUrl` (SVC_JOBS_URL) is undefined, else in the
 * MongoDB that it names. startJobs() closes it at its end.
 * @throws Error naming SVC_JOBS_URL, and never what stands in it, when it is no MongoDB url or no server answers within
 * 5 s
 */
export async function openJobsBackend({
  jobsUrl,
  database,
}: {
  jobsUrl: string | undefined;
  database: Database;
}): Promise<JobsBackend> {
  if (jobsUrl === undefined) {
    const backend = mysqlBackend(database);
    await backend.connect();
    return backend;
  }
  if (!/^mongodb(?:\+srv)?:\/\//.test(jobsUrl)) {
    const scheme = /^[a-z][a-z0-9+.-]{0,20}(?=:\/\/)/i.exec(jobsUrl)?.[0];
    const what = scheme === undefined ? 'is no url' : `is a ${scheme}:// url`;
    throw new Error(`SVC_JOBS_URL ${what}, which jobs cannot be kept in. ${mend}`);
  }
  try {
    // Loaded for those who ask for it: the driver takes 20 MiB.
    const { mongoBackend } = await import('./mongo-backend/index.js');
    return await mongoBackend(jobsUrl);
  } catch (error) {
    // Not as `cause`: the driver's errors carry the url's parts, and a log would print them.
    throw new Error(`SVC_JOBS_URL names a MongoDB that cannot be used: ${withoutSecrets(error, jobsUrl)}. ${mend}`);
  }
}

/** The error's words, less the password and the values of the options that stand in the url. */
function withoutSecrets(error: unknown, url: string): string {
  const words = error instanceof Error ? error.message : String(error);
  const userInfo = /^[^/]*\/\/(.*)@/s.exec(url)?.[1] ?? '';
  const values = [...url.matchAll(/[?&][^=]*=([^&]*)/gs)].flatMap(([, value = '']) => [value, ...value.split(/[,:]/)]);
  const secrets = [userInfo, ...userInfo.split(':').slice(1), ...values].filter((each) => each.length > 2);
  return secrets
    .flatMap((secret) => [secret, decoded(secret)])
    .reduce((text, secret) => text.replaceAll(secret, '…'), words)
    .replace(/\.$/, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
