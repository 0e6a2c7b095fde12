import { watchCommits, type CommitReport, type CommitWatch } from '#core/runtime/database/commits.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { DatabaseTarget } from '#core/runtime/database/driver-options.js';
import type { Log } from '#core/runtime/log.js';

/** Watches whether the database commits, and logs when it ceases and when it continues. */
export const openCommitWatch = (target: DatabaseTarget, database: ConnectedDatabase, log: Log): CommitWatch =>
  watchCommits({ target, database, report: reporter(log) });

const reporter =
  (log: Pick<Log, 'warn' | 'error'>): ((report: CommitReport) => void) =>
  (report) => {
    if (report.kind === 'stopped')
      log.error(
        {
          fix: 'Check the free disk space of the database server, whether a backup has locked it (FLUSH TABLES WITH READ LOCK), and whether it waits for a semi-synchronous replica.',
        },
        'the database server commits nothing: calls that change something answer 503 until it does',
      );
    else
      log.warn(
        { tookMs: Math.round(report.tookMs) },
        `the database server commits again after ${(report.tookMs / 1000).toFixed(1)} s`,
      );
  };
