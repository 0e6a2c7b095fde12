/**
 * A process that starts a job and never finishes it, for the test that kills it. It prints "started" when it runs the
 * job.
 */
import { Agenda } from 'agenda';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { mongoBackend } from '#core/runtime/jobs/mongo-backend/index.js';
import { mysqlBackend } from '#core/runtime/jobs/mysql-backend/index.js';

const [kind = '', url = ''] = process.argv.slice(2);
const open = async () => (kind === 'mongodb' ? mongoBackend(url) : mysqlBackend(await connectDatabase({ url })));
const agenda = new Agenda({ backend: await open(), processEvery: 50 });
agenda.define('killed', async () => {
  process.stdout.write('started\n');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
await agenda.start();
