import { partitionDatabase } from '#core/platform/partition-database.js';
import { runAlone } from './run-command.js';

const usage = `Divides the tables of events and audit records into partitions by time, so that expired rows are dropped a partition at a time
(docs/scaling.md, Partitions by time). Stop svc first:

  npm run partition

It needs the SVC_* settings of the server. It takes some seconds, or some minutes if the server must rebuild the tables. If it is interrupted, svc does not start
until this has been run again.
`;

await runAlone(usage, partitionDatabase);
