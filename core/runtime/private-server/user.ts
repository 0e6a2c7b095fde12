import { randomBytes } from 'node:crypto';
import { chmod, chown, readFile } from 'node:fs/promises';
import { replaceFile } from '../write-file.js';
import type { Layout } from './layout.js';

/** The database user that svc connects as on its private server. */
export interface DatabaseUser {
  user: string;
  password: string;
}

/** The one database that the user may use, unless the server is unrestricted. */
export const ownDatabase = 'svc';

/** Writes a file that only its owner can read, and the group `gid`. */
async function writePrivateFile(path: string, text: string, gid?: number): Promise<void> {
  await replaceFile(path, text, async (draft) => {
    if (gid === undefined) return;
    await chown(draft, 0, gid);
    await chmod(draft, 0o640);
  });
}

async function readPassword(path: string): Promise<string | undefined> {
  try {
    const stored: unknown = JSON.parse(await readFile(path, 'utf8'));
    const password = typeof stored === 'object' && stored && 'password' in stored ? stored.password : undefined;
    // The password is inserted into a quoted SQL string below.
    return typeof password === 'string' && /^[\w-]{32,}$/.test(password) ? password : undefined;
  } catch {
    return undefined;
  }
}

/** The user stored in the state folder. Creates a password if none is stored; the server's next start sets it. */
export async function loadOrCreateUser({ credentials }: Layout): Promise<DatabaseUser> {
  const user = 'svc';
  const stored = await readPassword(credentials);
  if (stored !== undefined) return { user, password: stored };
  const password = randomBytes(32).toString('base64url');
  await writePrivateFile(credentials, `${JSON.stringify({ user, password })}\n`);
  return { user, password };
}

/**
 * Writes the statements that the server runs before it listens. svc connects through the socket. Every local user can
 * reach the TCP port, so only a user with a password may connect there; root may connect only through the socket.
 * @param options.unrestricted the user may do everything, not only use its own database
 */
export async function writeInitFile(
  layout: Layout,
  user: DatabaseUser,
  { maker, unrestricted }: { maker: 'mariadb' | 'mysql'; unrestricted: boolean },
): Promise<void> {
  const quoted = `'${user.password}'`;
  const names = [`'${user.user}'@'localhost'`, `'${user.user}'@'127.0.0.1'`];
  const unsafeUsers = ["'root'@'127.0.0.1'", "'root'@'::1'", "'root'@'%'", "''@'localhost'", "''@'%'"];
  const statements = [
    ...names.flatMap((name) => [
      `CREATE USER IF NOT EXISTS ${name} IDENTIFIED BY ${quoted}`,
      `ALTER USER ${name} IDENTIFIED BY ${quoted}`,
      // The privileges that an earlier start granted.
      `REVOKE ALL PRIVILEGES, GRANT OPTION FROM ${name}`,
      unrestricted
        ? `GRANT ALL PRIVILEGES ON *.* TO ${name} WITH GRANT OPTION`
        : `GRANT ALL PRIVILEGES ON ${ownDatabase}.* TO ${name}`,
    ]),
    ...unsafeUsers.map((each) => `DROP USER IF EXISTS ${each}`),
    // MariaDB binds root to the operating system's user by its socket; MySQL creates root without a password.
    ...(maker === 'mysql' ? [`ALTER USER 'root'@'localhost' IDENTIFIED BY ${quoted}`] : []),
  ];
  await writePrivateFile(
    layout.initFile,
    statements.map((statement) => `${statement};\n`).join(''),
    layout.systemUser?.gid,
  );
}
