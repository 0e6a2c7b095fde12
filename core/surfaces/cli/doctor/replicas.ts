import { databaseTls } from '#core/kernel/database-tls.js';
import { databaseAddress, placeOf, urlOfEach } from '#core/runtime/database/address.js';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { requireCopy } from '#core/runtime/database/replica/copy.js';
import { replicaProblem } from '#core/runtime/database/replica/problem.js';
import { ok, problem, warning, type Finding } from './finding.js';
import type { CoreSettings } from './settings.js';

const start = 'Start it, and let it follow the primary (SHOW REPLICA STATUS); until then, the primary is read instead.';

/** Checks that each replica of SVC_DATABASE_READ_URL is a copy of the primary, and how far it is behind. */
export async function checkReplicas(core: CoreSettings, primary: ConnectedDatabase): Promise<Finding[]> {
  const { databaseReadUrl } = core;
  if (databaseReadUrl === undefined) return [];
  return Promise.all(urlOfEach(databaseReadUrl).map((url) => checkReplica(core, primary, url)));
}

async function checkReplica(core: CoreSettings, primary: ConnectedDatabase, url: string): Promise<Finding> {
  const address = databaseAddress(url);
  const place = placeOf(address);
  try {
    const replica = await connectDatabase({ url, tls: databaseTls(core), poolSize: 2 });
    try {
      await requireCopy(primary, replica);
      const behind = await secondsBehind(primary, replica);
      const answers = `The replica at ${place} answers`;
      if (behind === undefined) return ok('replica', `${answers}.`);
      const text = `${answers}, and is ${Math.max(0, Math.round(behind))} s behind the primary`;
      return behind > core.databaseReadLagSeconds
        ? warning('replica', `${text}: it is not used.`, 'Find out why with SHOW REPLICA STATUS on it.')
        : ok('replica', `${text}.`);
    } finally {
      await replica.close();
    }
  } catch (error) {
    const found = replicaProblem(error, address, place);
    const reason = error instanceof Error ? error.message : String(error);
    return found
      ? problem('replica', found.message, found.fix)
      : problem('replica', `The replica at ${place} cannot be used: ${reason}`, start);
  }
}

/** @returns undefined if no svc runs that changes the heartbeat */
async function secondsBehind(primary: ConnectedDatabase, replica: ConnectedDatabase): Promise<number | undefined> {
  const [copied] = await replica.rows<{ at: Date }>('SELECT at FROM svc_heartbeat WHERE id = 1');
  const [own] = await primary.rows<{ at: Date; present: Date }>('SELECT at, NOW(3) AS present FROM svc_heartbeat');
  const isRunning = own !== undefined && own.present.getTime() - own.at.getTime() < 5_000;
  return isRunning && copied ? (own.at.getTime() - copied.at.getTime()) / 1000 : undefined;
}
