import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import type { ErrorCode } from '#core/kernel/errors/errors.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { dashboard } from '#plugins/account/ports.js';
import { deploymentSettings } from '../deployment/settings.js';
import { logNumber } from '../providers/log/provider.js';

/** An environment that a text is for. */
export interface Destination {
  readonly environment: Environment;
  /** Its number that the text came to; null for a number of the deployment. */
  readonly numberId: string | null;
  /** It has given the number back: nothing is received there any more, but whoever says STOP to it still means it. */
  readonly hasReleased: boolean;
}

type Reading = Pick<ReadContext<ErrorCode>, 'db' | 'use' | 'deployment'>;

/**
 * Finds the environments that a received text is for:
 * - a number of an environment: that environment;
 * - a number of the deployment, which many environments may send from: those that have texted the sender from it, the last one first. STOP
 *   and START hold for all of them, everything else is for the first;
 * - nobody has texted the sender: the only live environment, where the deployment has one alone. Else it is for nobody, and empty.
 * Environments that have given the number back come last.
 * @param to E.164
 */
export async function destinationsOf(
  { db, use, deployment }: Reading,
  { from, to }: { from: string; to: string },
): Promise<Destination[]> {
  const [own] = await db.rows<EnvironmentColumns & { number_id: Buffer }>(
    `SELECT n.id AS number_id, ${environmentColumns} FROM sms_number n JOIN svc_environment e ON e.id = n.environment_id
     WHERE n.held_number = ? AND n.status = 'assigned'`,
    [Buffer.from(to)],
  );
  if (own) return [{ environment: environmentFrom(own), numberId: idText(own.number_id), hasReleased: false }];
  const texted = await environmentsThatTexted(db, { from, to });
  const only = texted.length === 0 ? await onlyEnvironment({ db, use }) : null;
  const shared = only ? [only] : texted;
  const released = await releasedBy({ db, deployment }, to, shared);
  return shared
    .map((environment) => ({ environment, numberId: null, hasReleased: released.has(environment.id) }))
    .toSorted((a, b) => Number(a.hasReleased) - Number(b.hasReleased));
}

/** The ids of those of some environments that have given a number back. The deployment's own number is everybody's, whoever had it before. */
async function releasedBy(
  { db, deployment }: Pick<Reading, 'db' | 'deployment'>,
  number: string,
  environments: readonly Environment[],
): Promise<ReadonlySet<string>> {
  const { smsFrom } = deployment.settingsOf(deploymentSettings);
  if (environments.length === 0 || number === smsFrom || number === logNumber) return new Set();
  const rows = await db.rows<{ environment_id: Buffer }>(
    "SELECT environment_id FROM sms_number WHERE environment_id IN (?) AND number = ? AND status = 'released'",
    [environments.map(({ id }) => idBytes(id)), Buffer.from(number)],
  );
  return new Set(rows.map((row) => idText(row.environment_id)));
}

/** One range of each index: all texts to the sender, whichever environment they are of, and what is known of deleted ones. */
async function environmentsThatTexted(
  db: Reading['db'],
  { from, to }: { from: string; to: string },
): Promise<Environment[]> {
  const rows = await db.rows<EnvironmentColumns>(
    `SELECT ${environmentColumns} FROM (
       SELECT environment_id, MAX(message_id) AS last FROM (
         SELECT r.environment_id, r.message_id FROM sms_recipient r FORCE INDEX (address)
         STRAIGHT_JOIN sms_message m ON m.id = r.message_id AND m.sent_at IS NOT NULL
           AND (m.from_number = ? OR (? AND m.from_number IS NULL))
         WHERE r.address_key = ?
         UNION ALL
         SELECT t.environment_id, t.message_id FROM sms_last_text t
         WHERE t.to_number = ? AND (t.from_number = ? OR (? AND t.from_number = ''))) texts
       GROUP BY environment_id) x
     JOIN svc_environment e ON e.id = x.environment_id ORDER BY x.last DESC`,
    // Texts that test environments keep for /dev/phone have no number of their own.
    [Buffer.from(to), to === logNumber, Buffer.from(from), Buffer.from(from), Buffer.from(to), to === logNumber],
  );
  return rows.map(environmentFrom);
}

/** The deployment's live environment where it has one alone, beside the dashboard's; else null. */
async function onlyEnvironment({ db, use }: Pick<Reading, 'db' | 'use'>): Promise<Environment | null> {
  const rows = await db.rows<EnvironmentColumns>(
    `SELECT ${environmentColumns} FROM svc_environment e WHERE e.kind = 'live' AND e.closed_at IS NULL LIMIT 3`,
  );
  const found: Environment[] = [];
  for (const environment of rows.map(environmentFrom))
    if (!(await use(dashboard).includes(environment))) found.push(environment);
  const [only] = found;
  return only && found.length === 1 ? only : null;
}
