import { createConnection } from 'mysql2/promise';

/**
 * Creates the database that the URL names unless it exists.
 * @throws the server's error; the user needs no right to create databases if the database exists
 */
export async function ensureDatabase(url: string): Promise<void> {
  const target = new URL(url);
  const name = decodeURIComponent(target.pathname.slice(1));
  if (name === '') throw new Error('SVC_DATABASE_URL must name a database: mysql://user:password@host:3306/svc');
  try {
    const direct = await createConnection({ uri: url, connectTimeout: 5_000 });
    await direct.end();
  } catch (error) {
    const unknownDatabase = typeof error === 'object' && error !== null && Reflect.get(error, 'errno') === 1049;
    if (!unknownDatabase) throw error;
    target.pathname = '/';
    const server = await createConnection({ uri: target.href, connectTimeout: 5_000 });
    await server.query('CREATE DATABASE IF NOT EXISTS ?? CHARACTER SET utf8mb4', [name]);
    await server.end();
  }
}
