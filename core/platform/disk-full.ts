import { join } from 'node:path';
import type { coreSettings } from '#core/kernel/settings.js';
import type { SettingValues } from '#config/declare.js';
import { databaseAddress, placeOf } from '#core/runtime/database/address.js';
import type { Log } from '#core/runtime/log.js';

/** While the disk is full, every call and every poll of a worker fails. */
const quietMs = 60_000;

/** Logs that the disk of the database is full, and which one, once a minute. */
export function diskFullReporter(
  { databaseUrl, stateDir }: Pick<SettingValues<typeof coreSettings>, 'databaseUrl' | 'stateDir'>,
  url: string,
  log: Pick<Log, 'error'>,
): (error: unknown) => void {
  const disk =
    databaseUrl === undefined
      ? `the disk of ${join(stateDir, 'database')}`
      : `the disk of the database server at ${placeOf(databaseAddress(url))}`;
  let quietUntil = 0;
  return (error) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + quietMs;
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ disk, reason }, `${disk} is full: calls that change something answer 503 until there is space`);
  };
}
