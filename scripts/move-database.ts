import { moveDatabase } from '#core/platform/move-database.js';
import { runAlone } from './run-command.js';

const usage = `Copies the database of the private server to a MySQL or MariaDB server of yours. Stop svc first:

  SVC_DATABASE_URL=mysql://user:password@host:3306/svc npm run move-database

It needs the other SVC_* settings of the server too. The target must be empty. The private server's database stays as it is.
`;

await runAlone(usage, moveDatabase);
