import { dayMs, dayOf } from '#core/runtime/clock.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import type { Services } from '#core/kernel/services.js';
import { idBytes } from '#core/runtime/id.js';
import { forEachRow } from '#core/runtime/jobs/for-each-row.js';
import { contactCounts, type ContactCounts } from '#plugins/audience/ports.js';
import { periodOf } from '../periods/months.js';
import { recordAt } from '../cap/metering-port.js';

/** The stand-in if audience is not enabled. */
export const noContactCounts = (): ContactCounts => ({ count: () => Promise.resolve(null) });

/** Days that are counted later because nothing ran when they ended. */
const mostMissedDays = 35;

interface CountedEnvironment extends EnvironmentColumns {
  readonly id: Buffer;
  readonly counted_day: number | null;
  readonly created_at: Date;
  readonly reopened_at: Date | null;
}

/**
 * Counts the contacts of every environment as they were at the end of the last day (UTC), once for each day, and does
 * the same for the days before it that were missed because nothing ran. Nothing could change on those days, so the
 * counts are still correct. The highest count of a month is metered: a count above the earlier ones appends the
 * difference. Days at whose end the account was closed do not count. If this fails for an environment, it is counted in
 * a later round.
 */
export async function countContacts(
  services: Pick<Services, 'database' | 'clock' | 'log' | 'deployment' | 'transaction'>,
): Promise<void> {
  const { database, clock, log, deployment } = services;
  if (!deployment.products.includes('audience')) return;
  const today = dayOf(clock.now());
  const midnight = new Date(today * dayMs);
  const enabled = await firstDay(database);
  await forEachRow({
    log,
    job: 'billing.count-contacts',
    read: (after, limit) =>
      database.rows<CountedEnvironment>(
        `SELECT found.* FROM (
           SELECT e.id, ${environmentColumns}, e.created_at, e.reopened_at,
             (SELECT MAX(p.counted_day) FROM billing_contact_peak p WHERE p.environment_id = e.id) AS counted_day
           FROM svc_environment e WHERE e.id > ? AND e.created_at < ? AND e.closed_at IS NULL
         ) found WHERE found.counted_day IS NULL OR found.counted_day < ? ORDER BY found.id LIMIT ?`,
        [after, midnight, today - 1, limit],
      ),
    handle: (row) => countDays(services, row, { enabled, today }),
  });
}

/** The day on which this deployment began to meter. Days before it do not count. */
async function firstDay(database: Pick<Services['database'], 'rows'>): Promise<number> {
  const [row] = await database.rows<{ first: Date | null }>(
    "SELECT MIN(applied_at) AS first FROM svc_migration WHERE owner = 'billing'",
  );
  return row?.first ? dayOf(row.first) : 0;
}

async function countDays(
  { transaction }: Pick<Services, 'transaction'>,
  row: CountedEnvironment,
  { enabled, today }: { readonly enabled: number; readonly today: number },
): Promise<void> {
  const environment = environmentFrom(row);
  const reopened = row.reopened_at === null ? 0 : dayOf(row.reopened_at);
  const start = row.counted_day === null ? Math.max(dayOf(row.created_at), enabled) : row.counted_day + 1;
  const first = Math.max(start, today - mostMissedDays, reopened);
  for (let day = first; day < today; day += 1)
    await transaction('Contact count', async (context) => {
      context.actIn(environment);
      const end = new Date((day + 1) * dayMs);
      const count = await context.use(contactCounts).count(environment.id, end);
      if (count !== null) await recordPeak(context, environment, end, count);
    });
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
