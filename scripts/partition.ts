import { partitionDatabase } from '#core/platform/partition-database.js';
import { createLog } from '#core/runtime/log.js';
import { printAnswer } from './run-command.js';
import { serverSettings } from './server-settings.js';

const usage = `Divides the tables of events and audit records into partitions by time, so that expired rows are dropped a partition at a time
(docs/scaling.md, Partitions by time). Stop svc first:

  npm run partition

It needs the SVC_* settings of the server. It takes some seconds, or some minutes if the server must rebuild the tables. If it is interrupted, svc does not start
until this has been run again.
`;

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

const [word] = process.argv.slice(2);
if (word === undefined) {
  await printAnswer(async () => {
    const { settings } = await serverSettings();
    const log = createLog('warn', { write: (line) => process.stderr.write(line) });
    return partitionDatabase({ settings, log, progress: say });
  });
} else if (word === '--help' || word === '-h') process.stdout.write(usage);
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
