import { counted } from '#config/counted.js';
import type { Settings } from '#config/read.js';
import { databaseTls } from '#core/kernel/database-tls.js';
import type { coreSettings } from '#core/kernel/settings.js';
import { databaseClock } from '#core/runtime/database-clock.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import type { DatabaseTarget } from '#core/runtime/database/driver-options.js';
import { withStartLock } from '#core/runtime/database/migrate.js';
import { divideTable } from '#core/runtime/database/partitions/divide.js';
import { daysPerPartition } from '#core/runtime/database/partitions/partition.js';
import type { Log } from '#core/runtime/log.js';
import { expiringTables } from './housekeeping.js';
import { StartError, withDatabase } from './start-error.js';
import { openState } from './state.js';

interface PartitionOptions {
  settings: Settings<typeof coreSettings>;
  log: Log;
  progress: (line: string) => void;
}

/**
 * Divides the tables of events and audit records into partitions by time (docs/scaling.md). svc must not run.
 * @returns a report
 * @throws SettingsError or StartError, whose messages state how to fix it: svc still runs, or the database cannot be
 *   used
 */
export async function partitionDatabase({ settings, log, progress }: PartitionOptions): Promise<string> {
  const { core } = settings;
  const state = await openState(settings, log, progress, { joining: true });
  try {
    const target: DatabaseTarget = { url: state.databaseUrl, tls: databaseTls(core) };
    return await withDatabase(target.url, async () => {
      await requireUnused(target);
      const database = await connectDatabase({ ...target, poolSize: 2 });
      try {
        return await withStartLock(
          database,
          async () => {
            const lines: string[] = [];
            for (const [table, keptDays] of Object.entries(expiringTables(core))) {
              const days = daysPerPartition(keptDays);
              const isNew = await divideTable(database, table, { days, now: databaseClock.now(), progress });
              lines.push(
                isNew
                  ? `${table} is divided into partitions of ${counted(days, 'day')}.`
                  : `${table} was divided before; nothing was changed.`,
              );
            }
            return lines.join('\n');
          },
          { progress },
        );
      } finally {
        await database.close();
      }
    });
  } finally {
    await state.stop();
  }
}

/** @throws StartError if anybody else is connected to the database */
async function requireUnused(target: DatabaseTarget): Promise<void> {
  const database = await connectDatabase({ ...target, poolSize: 1 });
  try {
    const [open] = await database.rows<{ others: number }>(
      'SELECT COUNT(*) AS others FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
    );
    if (open?.others === 0) return;
    throw new StartError(
      `svc or another client uses the database: it has ${counted(open?.others ?? 0, 'other connection')}.
  Stop all nodes of svc, and close other clients. Then run this again.`,
    );
  } finally {
    await database.close();
  }
}
