import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';

/** The database server that `npm test` started for this process. Mocha numbers its processes in MOCHA_WORKER_ID. */
function serverUrl(): URL {
  const urls = process.env['SVC_TEST_SERVER_URLS']?.split(' ') ?? [];
  const url = urls[Number(process.env['MOCHA_WORKER_ID'] ?? 0) % urls.length];
  if (url === undefined) throw new Error('Run tests with npm test: SVC_TEST_SERVER_URLS is not set.');
  return new URL(url);
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `${process.env['SVC_TEST_DATABASE_PREFIX'] ?? 'svc_test_'}${randomBytes(6).toString('hex')}`;
  const url = serverUrl();
  const server = await createConnection({ uri: url.href });
  await server.query('CREATE DATABASE ?? CHARACTER SET utf8mb4', [name]);
  await server.end();
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      const again = await createConnection({ uri: serverUrl().href });
      await again.query('DROP DATABASE IF EXISTS ??', [name]);
      await again.end();
    },
  };
}
