import { moveDatabase } from '#core/platform/move-database.js';
import { createLog } from '#core/runtime/log.js';
import { printAnswer } from './run-command.js';
import { serverSettings } from './server-settings.js';

const usage = `Copies the database of the private server to a MySQL or MariaDB server of yours. Stop svc first:

  SVC_DATABASE_URL=mysql://user:password@host:3306/svc npm run move-database

It needs the other SVC_* settings of the server too. The target must be empty. The private server's database stays as it is.
`;

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

const [word] = process.argv.slice(2);
if (word === undefined) {
  await printAnswer(async () => {
    const { settings } = await serverSettings();
    const log = createLog('warn', { write: (line) => process.stderr.write(line) });
    return moveDatabase({ settings, log, progress: say });
  });
} else if (word === '--help' || word === '-h') process.stdout.write(usage);
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
