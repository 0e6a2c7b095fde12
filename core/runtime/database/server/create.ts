import { createConnection } from 'mysql2/promise';
import { driverOptions, type DatabaseTarget } from '../driver-options.js';
import { findPrimary } from '../primary/find.js';

/**
 * Creates the database that the target names unless it exists.
 * @throws the server's error; NoPrimary; the user needs no right to create databases if the database exists
 */
export async function ensureDatabase(target: DatabaseTarget): Promise<void> {
  const { database: name, ...server } = driverOptions(target, await findPrimary(target));
  try {
    const direct = await createConnection({ ...server, database: name });
    await direct.end();
  } catch (error) {
    const unknownDatabase = typeof error === 'object' && error !== null && Reflect.get(error, 'errno') === 1049;
    if (!unknownDatabase) throw error;
    const connection = await createConnection(server);
    await connection.query('CREATE DATABASE IF NOT EXISTS ?? CHARACTER SET utf8mb4', [name]);
    await connection.end();
  }
}
