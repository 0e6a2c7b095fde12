import type { Environment } from '#core/kernel/caller/caller.js';
import type { Reading } from '#core/kernel/context.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import { phoneForms } from '#core/kernel/schema/phone.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { dashboard } from '#plugins/account/ports.js';
import { deploymentSettings } from '../deployment/settings.js';
import { hasUnclearAttempt } from '../messages/unclear.js';
import { logNumber } from '../providers/log/provider.js';
import { deliveryQueueRef } from '../tables/message.js';

/** An environment that a text is for. */
export interface Destination {
  readonly environment: Environment;
  /** The environment's number that received the text; null for a number of the deployment. */
  readonly numberId: string | null;
  /**
   * Only a STOP applies to this environment, and nothing is stored: it has released the number, or it was found by
   * `environmentsWithTextsTo`.
   */
  readonly getsOnlyStop: boolean;
}

/**
 * Finds the environments that a received text is for:
 * - a number of an environment: that environment;
 * - a number of the deployment, which many environments may send from: the environments that have texted the sender
 *   from it, the last one first, and then those whose texts may have reached the sender although no answer is recorded.
 *   STOP and START apply to all of them, everything else to the first;
 * - no environment has texted the sender: the deployment's only live environment. If there are several, the text is
 *   for no environment, and the result is empty.
 *
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
  if (own) return [{ environment: environmentFrom(own), numberId: idText(own.number_id), getsOnlyStop: false }];
  const texted = await environmentsThatTexted(db, { from, to });
  const only = texted.length === 0 ? await onlyEnvironment({ db, use }) : null;
  const shared = only ? [only] : texted;
  const released = await releasedBy({ db, deployment }, to, shared);
  return shared
    .map((environment) => ({ environment, numberId: null, getsOnlyStop: released.has(environment.id) }))
    .toSorted((a, b) => Number(a.getsOnlyStop) - Number(b.getsOnlyStop));
}

/**
 * The ids of the given environments that have given a number back. The deployment's own number belongs to every
 * environment, no matter which one had it before.
 */
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

/** Texts are stored with the number as it was given; the reply may come from its other form. */
const formsOf = (number: string): Buffer[] => phoneForms(number).map((form) => Buffer.from(form));

/** One range of each index: all texts to the sender, from any environment, and what is known of deleted ones. */
async function environmentsThatTexted(
  db: Reading['db'],
  { from, to }: { from: string; to: string },
): Promise<Environment[]> {
  const rows = await db.rows<EnvironmentColumns>(
    `SELECT ${environmentColumns} FROM (
       SELECT environment_id, MAX(is_sent) AS is_sent, MAX(message_id) AS last FROM (
         SELECT r.environment_id, r.message_id, m.sent_at IS NOT NULL AS is_sent FROM sms_recipient r FORCE INDEX (address)
         STRAIGHT_JOIN sms_message m ON m.id = r.message_id
           AND (m.from_number = ? OR (? AND m.from_number IS NULL))
         LEFT JOIN ${deliveryQueueRef.table} work ON work.id = m.id
         WHERE r.address_key IN (?) AND (m.sent_at IS NOT NULL OR ${hasUnclearAttempt})
         UNION ALL
         SELECT t.environment_id, t.message_id, 1 FROM sms_last_text t
         WHERE t.to_number IN (?) AND (t.from_number = ? OR (? AND t.from_number = ''))) texts
       GROUP BY environment_id) x
     JOIN svc_environment e ON e.id = x.environment_id ORDER BY x.is_sent DESC, x.last DESC`,
    // Texts that test environments keep for /dev/phone have no number.
    [Buffer.from(to), to === logNumber, formsOf(from), formsOf(from), Buffer.from(to), to === logNumber],
  );
  return rows.map(environmentFrom);
}

/** Environments, at most, to which a STOP applies that answers no known text. */
const mostStopped = 100;

/**
 * The environments that have any text to a sender whom no environment is known to have texted. Only a STOP applies to
 * them: it must not be lost because svc does not know what the person answers.
 * @param from E.164
 */
export async function environmentsWithTextsTo({ db }: Pick<Reading, 'db'>, from: string): Promise<Destination[]> {
  const rows = await db.rows<EnvironmentColumns>(
    `SELECT ${environmentColumns} FROM (
       SELECT DISTINCT environment_id FROM sms_recipient FORCE INDEX (address) WHERE address_key IN (?) LIMIT ${mostStopped}) x
     JOIN svc_environment e ON e.id = x.environment_id AND e.kind = 'live'`,
    [formsOf(from)],
  );
  return rows.map((row) => ({ environment: environmentFrom(row), numberId: null, getsOnlyStop: true }));
}

/** The deployment's only live environment, not counting the dashboard's; null if there is none or several. */
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
