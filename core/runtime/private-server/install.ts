import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { findPrograms, type Programs } from './programs.js';

/** Ways to get a database, for a person who has none. */
export const waysToADatabase = [
  'No database: SVC_DATABASE_URL is not set, and this machine has no MariaDB or MySQL server program. Do one of these:',
  '  - set SVC_DATABASE_URL=mysql://user:password@host:3306/database (MySQL 8.0.19+ or MariaDB 10.6+);',
  '  - install a server, which svc then runs by itself: apt-get install mariadb-server (Debian, Ubuntu),',
  '    dnf install mariadb-server (Fedora, RHEL), brew install mariadb (macOS);',
  '  - on Debian or Ubuntu, start svc as root or as a user with passwordless sudo, and it installs one.',
].join('\n');

/**
 * The core packages hold the bare programs and no service. Where a release names them otherwise, the whole package
 * follows; its service must neither start (policy-rc.d, which stops counting when this script is gone) nor be left
 * enabled. There was no server before, so any that runs afterwards came with the package.
 */
const script = `
export DEBIAN_FRONTEND=noninteractive
apt='apt-get -q -o DPkg::Lock::Timeout=120'
$apt update || echo 'apt-get update failed; trying with the lists at hand.'
$apt install -y --no-install-recommends mariadb-server-core mariadb-client-core && exit 0
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' INT TERM
  printf '#!/bin/sh\\nkill -0 %s 2>/dev/null && exit 101\\nexit 0\\n' "$$" > "$policy" && chmod 755 "$policy"
fi
$apt install -y --no-install-recommends mariadb-server || exit 1
if [ -d /run/systemd/system ]; then systemctl disable --now mariadb; else service mariadb stop; fi
exit 0
`;

/** Runs a program, line by line to `progress`; whether it ended well. */
function follow(command: string, args: string[], progress: (line: string) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    createInterface(child.stdout).on('line', progress);
    createInterface(child.stderr).on('line', progress);
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}

/**
 * Installs a MariaDB server with apt where this user may.
 * @param progress gets what the installation says, line by line
 * @throws an Error that lists the ways to get a database, when it cannot
 */
export async function installPrograms(progress: (line: string) => void): Promise<Programs> {
  const silent = (): void => undefined;
  const root = process.getuid?.() === 0;
  const hasApt = await follow('apt-get', ['--version'], silent);
  const may = hasApt && (root || (await follow('sudo', ['-n', 'true'], silent)));
  if (!may) throw new Error(waysToADatabase);
  progress('No MariaDB or MySQL server on this machine: installing MariaDB with apt-get.');
  const last: string[] = [];
  const tell = (line: string): void => {
    progress(line);
    last.push(line);
    if (last.length > 5) last.shift();
  };
  const [command, ...args] = [...(root ? [] : ['sudo', '-n']), 'sh', '-c', script];
  const installed = await follow(command, args, tell);
  const programs = installed ? await findPrograms() : undefined;
  if (!programs) throw new Error(`${waysToADatabase}\nInstalling one with apt-get failed:\n${last.join('\n')}`);
  return programs;
}
