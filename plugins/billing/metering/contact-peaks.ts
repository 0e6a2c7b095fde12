import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import type { Services } from '#core/kernel/services.js';
import { idBytes } from '#core/runtime/id.js';
import { contactCounts, type ContactCounts } from '#plugins/audience/ports.js';
import { dayMs, periodOf } from '../invoices/months.js';
import { dayOf } from './period.js';
import { recordAt } from './port.js';

/** The stand-in where audience is not enabled. */
export const noContactCounts = (): ContactCounts => ({ count: () => Promise.resolve(null) });

/** Environments that are looked up at once. */
const batchSize = 200;

/**
 * Counts the contacts of every environment as they were at the end of the last day (UTC), once for each day. What is metered of a month is the
 * highest of its counts: a count above those before appends the difference.
 */
export async function countContacts(services: Pick<Services, 'database' | 'clock' | 'transaction'>): Promise<void> {
  const { database, clock, transaction } = services;
  const midnight = new Date(dayOf(clock.now()) * dayMs);
  const day = dayOf(midnight) - 1;
  const period = Buffer.from(periodOf(new Date(midnight.getTime() - 1)));
  for (let after: Buffer = Buffer.alloc(16); ;) {
    const rows = await database.rows<EnvironmentColumns>(
      `SELECT ${environmentColumns} FROM svc_environment e
       LEFT JOIN billing_contact_peak p ON p.environment_id = e.id AND p.period = ?
       WHERE e.id > ? AND e.created_at < ? AND (p.counted_day IS NULL OR p.counted_day < ?) ORDER BY e.id LIMIT ?`,
      [period, after, midnight, day, batchSize],
    );
    for (const environment of rows.map(environmentFrom))
      await transaction('Contact count', async (context) => {
        context.actIn(environment);
        const count = await context.use(contactCounts).count(environment.id, midnight);
        if (count !== null) await recordPeak(context, environment, midnight, count);
      });
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.environment_id;
  }
}

async function recordPeak(
  context: FullContext,
  environment: Environment,
  midnight: Date,
  count: number,
): Promise<void> {
  const { db } = context;
  const lastMoment = new Date(midnight.getTime() - 1);
  const day = dayOf(lastMoment);
  const key = [idBytes(environment.id), Buffer.from(periodOf(lastMoment))];
  await db.run(
    `INSERT INTO billing_contact_peak (environment_id, period, peak, counted_day) VALUES (?, ?, 0, -1)
     ON DUPLICATE KEY UPDATE peak = peak`,
    key,
  );
  const [row] = await db.rows<{ peak: number; counted_day: number }>(
    'SELECT peak, counted_day FROM billing_contact_peak WHERE environment_id = ? AND period = ? FOR UPDATE',
    key,
  );
  if (!row || row.counted_day >= day) return;
  await db.run(
    'UPDATE billing_contact_peak SET peak = GREATEST(peak, ?), counted_day = ? WHERE environment_id = ? AND period = ?',
    [count, day, ...key],
  );
  const more = count - row.peak;
  if (more <= 0) return;
  const usage = { meter: 'audience.contact', quantity: more, country: null, sourceId: environment.id } as const;
  await recordAt(context, environment, [usage], lastMoment);
}
