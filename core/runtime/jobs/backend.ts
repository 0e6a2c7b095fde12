import type { Database } from '../database/session.js';
import { mysqlBackend } from './mysql-backend/index.js';
import type { JobsBackend } from './scheduler.js';

const fix = 'Set it to mongodb://… or mongodb+srv://…, or leave it unset to store the jobs in the MySQL database.';

/** The store of recurring jobs in the database. The stop() of startJobs() closes it. */
export async function mysqlJobs(database: Database): Promise<JobsBackend> {
  const backend = mysqlBackend(database);
  await backend.connect();
  return backend;
}

/**
 * Connects to the store of recurring jobs in the MongoDB at `jobsUrl` (SVC_JOBS_URL). The stop() of startJobs() closes
 * it.
 * @throws Error that names SVC_JOBS_URL but never its value, if it is not a MongoDB URL or no server answers within 5 s
 */
export async function mongoJobs(jobsUrl: string): Promise<JobsBackend> {
  if (!/^mongodb(?:\+srv)?:\/\//.test(jobsUrl)) {
    const scheme = /^[a-z][a-z0-9+.-]{0,20}(?=:\/\/)/i.exec(jobsUrl)?.[0];
    const what = scheme === undefined ? 'is not a URL' : `is a ${scheme}:// URL`;
    throw new Error(`SVC_JOBS_URL ${what}, which cannot store jobs. ${fix}`);
  }
  try {
    // Loaded only if it is used: the driver takes 20 MiB.
    const { mongoBackend } = await import('./mongo-backend/index.js');
    return await mongoBackend(jobsUrl);
  } catch (error) {
    // Not passed on as `cause`: the driver's errors contain parts of the URL, which the log would print.
    throw new Error(`SVC_JOBS_URL names a MongoDB that cannot be used: ${withoutSecrets(error, jobsUrl)}. ${fix}`);
  }
}

/** The error's message without the URL's password and option values. */
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
