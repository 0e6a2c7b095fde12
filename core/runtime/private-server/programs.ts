import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The database server program of this machine, and the program that creates its data folder. */
export interface Programs {
  maker: 'mariadb' | 'mysql';
  server: string;
  /** mariadb-install-db. MySQL's server creates its data folder itself. */
  installer?: string;
}

/** Folders in which servers are installed outside of PATH: Debian, Fedora, tarballs, Homebrew on Intel and ARM. */
const commonFolders = [
  ...['/usr/sbin', '/usr/libexec', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/usr/local/mysql/bin'],
  ...['/usr/local/mariadb/bin', '/usr/local/opt/mariadb/bin', '/usr/local/opt/mysql/bin'],
  ...['/opt/homebrew/bin', '/opt/homebrew/opt/mariadb/bin', '/opt/homebrew/opt/mysql/bin'],
];

const searchFolders = (): string[] => [
  ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/')),
  ...commonFolders,
];

/** The path of the first of `names` that is an executable in one of the folders. */
async function locate(names: string[], folders: string[]): Promise<string | undefined> {
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      const found = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return path;
    }
  }
  return undefined;
}

/**
 * Looks for a MariaDB or MySQL server program.
 * @param folders the folders to search: PATH and the usual folders by default
 * @returns undefined if there is none
 */
export async function findPrograms(folders = searchFolders()): Promise<Programs | undefined> {
  const server = await locate(['mariadbd', 'mysqld'], folders);
  if (server === undefined) return undefined;
  // MariaDB's server may be called mysqld too.
  const { stdout } = await run(server, ['--no-defaults', '--version']);
  if (!stdout.includes('MariaDB')) return { maker: 'mysql', server };
  const beside = ['.', '../bin', '../scripts'].map((step) => join(dirname(server), step));
  const installer = await locate(['mariadb-install-db', 'mysql_install_db'], [...beside, ...folders]);
  return installer === undefined ? undefined : { maker: 'mariadb', server, installer };
}
