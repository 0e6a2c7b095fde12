import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { findPrograms, type Programs } from './programs.js';

/** The ways to get a database, for users who have none. */
const databaseAdvice = [
  'No database: SVC_DATABASE_URL is not set, and this machine has no MariaDB or MySQL server program. Do one of these:',
  '  - set SVC_DATABASE_URL=mysql://user:password@host:3306/database (MySQL 8.0.22+ or MariaDB 10.6+);',
  '  - install a server, which svc then runs itself: apt-get install mariadb-server (Debian, Ubuntu),',
  '    dnf install mariadb-server (Fedora, RHEL), brew install mariadb (macOS);',
  '  - on Debian or Ubuntu, start svc as root or as a user with passwordless sudo, and it installs one.',
].join('\n');

/**
 * The core packages contain the programs without a service and without the user mysql, which a server started by root
 * runs as. If a release has no such packages, the full one is installed. Its service must neither start (policy-rc.d
 * prevents that, and has no effect once this script has ended) nor stay enabled. There was no server before, so a
 * service that runs afterwards came with the package.
 */
const script = `
export DEBIAN_FRONTEND=noninteractive
apt='apt-get -q -o DPkg::Lock::Timeout=120'
$apt update || echo 'apt-get update failed; trying with the lists at hand.'
if $apt install -y --no-install-recommends mariadb-server-core mariadb-client-core; then
  id mysql >/dev/null 2>&1 || useradd --system --user-group --no-create-home --shell /usr/sbin/nologin mysql
  exit 0
fi
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

/** Runs a program and passes each line of its output to `progress`. @returns whether it exited with 0 */
function runProgram(command: string, args: string[], progress: (line: string) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    createInterface(child.stdout).on('line', progress);
    createInterface(child.stderr).on('line', progress);
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}

/**
 * Installs a MariaDB server with apt if this user may.
 * @param progress called with each line of the installation's output
 * @throws Error that lists the ways to get a database, if it cannot be installed
 */
export async function installPrograms(progress: (line: string) => void): Promise<Programs> {
  const ignore = (): void => undefined;
  const root = process.getuid?.() === 0;
  const hasApt = await runProgram('apt-get', ['--version'], ignore);
  const mayInstall = hasApt && (root || (await runProgram('sudo', ['-n', 'true'], ignore)));
  if (!mayInstall) throw new Error(databaseAdvice);
  progress('This machine has no MariaDB or MySQL server: installing MariaDB with apt-get.');
  const lastLines: string[] = [];
  const onLine = (line: string): void => {
    progress(line);
    lastLines.push(line);
    if (lastLines.length > 5) lastLines.shift();
  };
  const [command, ...args] = [...(root ? [] : ['sudo', '-n']), 'sh', '-c', script];
  const installed = await runProgram(command, args, onLine);
  const programs = installed ? await findPrograms() : undefined;
  if (!programs) throw new Error(`${databaseAdvice}\nInstalling one with apt-get failed:\n${lastLines.join('\n')}`);
  return programs;
}
