import { setTimeout as pause } from 'node:timers/promises';
import { buildVersion } from '#core/surfaces/version.js';
import { pendingStatements, type Migration } from '#core/runtime/database/migrate.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { StartError } from './start-error.js';

/*
 * The processes that use a database, each with a row that it renews. A migration under a running process of an older
 * version would break it, so it waits for such processes and is then refused. All times are the database's.
 */

/** How often a process renews its row, and after how long without that it counts as ended. */
const [renewMs, livingSeconds] = [5_000, 20];
/** How long a migration waits: a process that was killed just now no longer counts by then. */
const longestWaitMs = 30_000;
const askAgainMs = 1_000;

interface Living {
  readonly version: string;
  readonly processes: number;
}

async function livingOthers(database: ReadSession, version: string): Promise<Living[]> {
  const tables = await database.rows<object>(
    "SELECT 1 AS found FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'svc_node'",
  );
  // The versions before this table are not seen.
  if (tables.length === 0) return [];
  return database.rows<Living>(
    `SELECT version, COUNT(*) AS processes FROM svc_node
     WHERE version <> ? AND seen_at > NOW(3) - INTERVAL ${livingSeconds} SECOND GROUP BY version`,
    [version],
  );
}

/**
 * Before a migration, waits until no process of another version runs.
 * @throws StartError if one still runs after half a minute
 */
export async function requireNoOtherVersion(
  database: ReadSession,
  migrations: readonly Migration[],
  {
    version = buildVersion(),
    waitMs = longestWaitMs,
    progress,
  }: {
    version?: string;
    waitMs?: number;
    progress?: ((line: string) => void) | undefined;
  } = {},
): Promise<void> {
  if ((await pendingStatements(database, migrations)) === 0) return;
  const began = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const others = await livingOthers(database, version);
    if (others.length === 0) return;
    const named = others.map((each) => `${each.processes} of version ${each.version}`).join(', ');
    if (isFirst) progress?.(`Processes of another version run on this database (${named}). Waiting for them to end.`);
    if (performance.now() - began >= waitMs)
      throw new StartError(
        `Processes of another version run on this database (${named}), and this version, ${version}, must migrate it first.\n  Stop them, wait until they have ended, and start again (docs/operating.md, Upgrades).`,
      );
    await pause(Math.min(askAgainMs, waitMs));
  }
}

const renew = `INSERT INTO svc_node (id, version, seen_at) VALUES (?, ?, NOW(3))
  ON DUPLICATE KEY UPDATE version = VALUES(version), seen_at = NOW(3)`;

/** Records that this process runs, until `stop`. */
export async function announceNode(
  database: Pick<Session, 'run'>,
  version = buildVersion(),
): Promise<{ stop(): Promise<void> }> {
  const id = idBytes(newId());
  await database.run(renew, [id, version]);
  await database.run('DELETE FROM svc_node WHERE seen_at < NOW(3) - INTERVAL 1 DAY LIMIT 1000');
  let renewing: Promise<unknown> = Promise.resolve();
  let isRenewing = false;
  const timer = setInterval(() => {
    // While the database does not answer, one statement waits, not many.
    if (isRenewing) return;
    isRenewing = true;
    renewing = database
      .run(renew, [id, version])
      .catch(() => undefined)
      .finally(() => (isRenewing = false));
  }, renewMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await renewing;
      await database.run('DELETE FROM svc_node WHERE id = ?', [id]).catch(() => undefined);
    },
  };
}
