import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';

/** A database user with all rights on one database and none on the server, so that `read_only` applies to it. */
interface PlainUser {
  /** Creates the user for the database of a URL. @returns the URL for that user */
  create(databaseUrl: string): Promise<string>;
  /** Makes the server read-only, or writable again. */
  setReadOnly(on: boolean): Promise<void>;
}

/** Call it inside `describe`: at its end, the server is made writable and the user is dropped. */
export function usePlainUser(): PlainUser {
  const name = `plain_${randomBytes(6).toString('hex')}`;
  const parts: { server?: string } = {};
  const administer = async (...statements: string[]): Promise<void> => {
    if (parts.server === undefined) throw new Error('The user was not created yet.');
    const connection = await createConnection({ uri: parts.server });
    try {
      for (const sql of statements) await connection.query(sql);
    } finally {
      await connection.end();
    }
  };
  const setReadOnly = (on: boolean): Promise<void> => administer(`SET GLOBAL read_only = ${on ? 'ON' : 'OFF'}`);
  after(async () => {
    if (parts.server === undefined) return;
    await setReadOnly(false);
    await administer(`DROP USER IF EXISTS '${name}'@'%'`);
  });
  return {
    async create(databaseUrl) {
      const url = new URL(databaseUrl);
      const database = url.pathname.slice(1);
      url.pathname = '/';
      parts.server = url.href;
      await administer(
        `CREATE USER '${name}'@'%' IDENTIFIED BY 'plain'`,
        `GRANT ALL PRIVILEGES ON \`${database}\`.* TO '${name}'@'%'`,
      );
      url.username = name;
      url.password = 'plain';
      url.pathname = `/${database}`;
      return url.href;
    },
    setReadOnly,
  };
}
