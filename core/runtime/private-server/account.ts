import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import type { Layout } from './layout.js';

/** The account that svc uses on its private server. */
export interface Account {
  user: string;
  password: string;
}

/** Writes a file that only its owner can read, whole or not at all. */
async function writePrivately(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

async function readPassword(path: string): Promise<string | undefined> {
  try {
    const kept: unknown = JSON.parse(await readFile(path, 'utf8'));
    const password = typeof kept === 'object' && kept && 'password' in kept ? kept.password : undefined;
    // The password stands inside a quoted SQL string below.
    return typeof password === 'string' && /^[\w-]{32,}$/.test(password) ? password : undefined;
  } catch {
    return undefined;
  }
}

/** The account kept in the state folder; a new password where none is kept, set at the server's next start. */
export async function keepAccount({ credentials }: Layout): Promise<Account> {
  const user = 'svc';
  const kept = await readPassword(credentials);
  if (kept !== undefined) return { user, password: kept };
  const password = randomBytes(32).toString('base64url');
  await writePrivately(credentials, `${JSON.stringify({ user, password })}\n`);
  return { user, password };
}

/**
 * Writes what the server runs before it listens: every local user can reach its TCP port, so only an account with a
 * password may answer there, and root comes in through the socket alone.
 */
export async function writeInitFile(layout: Layout, account: Account, maker: 'mariadb' | 'mysql'): Promise<void> {
  const quoted = `'${account.password}'`;
  const name = `'${account.user}'@'127.0.0.1'`;
  const strangers = ["'root'@'127.0.0.1'", "'root'@'::1'", "'root'@'%'", "''@'localhost'", "''@'%'"];
  const statements = [
    `CREATE USER IF NOT EXISTS ${name} IDENTIFIED BY ${quoted}`,
    `ALTER USER ${name} IDENTIFIED BY ${quoted}`,
    `GRANT ALL PRIVILEGES ON *.* TO ${name} WITH GRANT OPTION`,
    ...strangers.map((stranger) => `DROP USER IF EXISTS ${stranger}`),
    // MariaDB's root is bound to the operating system's user by its socket; MySQL's begins without any password.
    ...(maker === 'mysql' ? [`ALTER USER 'root'@'localhost' IDENTIFIED BY ${quoted}`] : []),
  ];
  await writePrivately(layout.initFile, statements.map((statement) => `${statement};\n`).join(''));
}
