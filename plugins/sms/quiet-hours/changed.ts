import { orUpdate } from '#core/runtime/database/statement.js';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#core/kernel/context.js';
import { environmentTurns } from '#core/kernel/environment/turns.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Database } from '#core/runtime/database/session.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { completeWork, enqueueStatement, lanes, type WorkQueue } from '#core/runtime/work/queue.js';
import { deliveryQueueRef } from '../tables/message.js';
import type { SmsSettingsValue } from '../settings/resources.js';

/** One row per environment whose quiet hours have changed. The row has the environment's id. */
const quietHoursQueueRef = { name: 'sms.quiet-hours', table: 'sms_quiet_hours_queue' } as const;

interface Waiting {
  readonly id: Buffer;
  readonly due_at: Date;
}

/** Texts that one statement makes due: few enough not to hold locks for long. */
export const textsPerStep = 2_000;

/**
 * Queues a new check of the texts that wait for the end of quiet hours, if a change of the settings has changed the
 * quiet hours. A running check starts again: the row's lease is taken away, and texts that it makes due twice are
 * checked twice.
 */
export async function recheckIfChanged(
  { db, clock, wake }: Pick<Context, 'db' | 'clock' | 'wake'>,
  environmentId: string,
  before: SmsSettingsValue,
  after: SmsSettingsValue,
): Promise<void> {
  if (isDeepStrictEqual(before.quietHours, after.quietHours)) return;
  const row = { id: environmentId, partitionId: environmentId, lane: 'bulk', dueAt: clock.now() } as const;
  const enqueue = enqueueStatement(quietHoursQueueRef, [row]);
  await db.run(
    orUpdate(enqueue, 'due_at = VALUES(due_at), attempts = 0, leased = 0, lease_token = NULL, lease_until = NULL'),
  );
  wake(quietHoursQueueRef.name);
}

/**
 * Makes the texts that wait for the end of quiet hours due, in small statements. Each text is checked again, and is
 * sent or waits by the new hours. It makes no difference whether a text waits for that or for another attempt. After a
 * crash it starts again, which does no harm.
 */
export const quietHoursWork = ({
  database,
  clock,
  wake,
}: Pick<WorkerServices, 'database' | 'clock' | 'wake'>): WorkQueue => ({
  ...quietHoursQueueRef,
  concurrency: 2,
  turnsOf: environmentTurns(database),
  excludedPartitions: [],
  async perform(claim) {
    for (const partition of await waitingPartitions(database, claim.partitionId))
      await makeDue({ database, clock }, partition, () => {
        wake(deliveryQueueRef.name);
        crashPoint('sms.quiet.hours.step');
      });
    await completeWork(database, quietHoursQueueRef, claim);
  },
});

/**
 * The texts of each broadcast form their own partition; the texts of automations are in the environment's partition.
 */
async function waitingPartitions(database: Database, environmentId: string): Promise<Buffer[]> {
  const broadcasts = await database.rows<{ id: Buffer }>(
    "SELECT id FROM sms_broadcast WHERE environment_id = ? AND status IN ('sending', 'held')",
    [idBytes(environmentId)],
  );
  return [idBytes(environmentId), ...broadcasts.map(({ id }) => id)];
}

/**
 * Makes the waiting texts of a partition due, in the order of their due times. A text that has to wait again in the
 * meantime, by the new hours, may be processed once more.
 * @param afterStep called after each statement
 */
async function makeDue(
  { database, clock }: Pick<WorkerServices, 'database' | 'clock'>,
  partition: Buffer,
  afterStep: () => void,
): Promise<void> {
  let last: Waiting = { id: Buffer.alloc(16), due_at: clock.now() };
  for (;;) {
    const rows: Waiting[] = await database.rows<Waiting>(
      `SELECT id, due_at FROM ${deliveryQueueRef.table} FORCE INDEX (claim)
       WHERE leased = 0 AND lane = ${lanes.bulk} AND partition_id = ? AND due_at >= ? AND (due_at > ? OR id > ?)
       ORDER BY due_at, id LIMIT ${textsPerStep}`,
      [partition, last.due_at, last.due_at, last.id],
    );
    const next = rows.at(-1);
    if (!next) return;
    last = next;
    const now = clock.now();
    await database.run(
      `UPDATE ${deliveryQueueRef.table} FORCE INDEX (PRIMARY) SET due_at = ? WHERE id IN (?) AND leased = 0 AND due_at > ?`,
      [now, rows.map(({ id }) => id), now],
    );
    afterStep();
  }
}
