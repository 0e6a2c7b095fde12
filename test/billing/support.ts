import type { Environment } from '#core/kernel/caller/caller.js';
import type { Platform } from '#core/platform/platform.js';
import { queueMonthCloses } from '#plugins/billing/closing/close-work.js';
import { closeDelayMs, endOf, periodOf } from '#plugins/billing/periods/months.js';
import type { Meter } from '#plugins/billing/meters.js';
import { metering, type Usage } from '#plugins/billing/ports.js';
import { apiAt, type Api } from '#test/support/api.js';
import type { TestPlatform } from '#test/support/platform.js';

/** The first live secret key of the operator's account. */
export function operatorKey({ running }: Pick<TestPlatform, 'running'>): string {
  const secret = running.firstRun?.keys.live.secret;
  if (secret === undefined) throw new Error('The platform was restarted: its first keys are in no answer any more.');
  return secret;
}

/** Calls as the deployment's operator. */
export const operatorOf = (platform: Pick<TestPlatform, 'running'>): Api =>
  apiAt(
    () => platform.running.address,
    () => operatorKey(platform),
    () => platform.running.registry,
  );

/** Usage of a meter. */
export const usageOf = (meter: Meter, quantity: number, country: string | null = null): Usage => ({
  meter,
  quantity,
  country,
  sourceId: `test-${meter}`,
});

/** Meters usage, as an accepted call does; a negative quantity is taken off, as a correction is. */
export async function meter(
  { running }: Pick<TestPlatform, 'running'>,
  environment: Environment,
  ...usages: readonly Usage[]
): Promise<void> {
  await running.services.transaction('Test', async ({ use, actIn }) => {
    actIn(environment);
    await use(metering).record(
      environment,
      usages.filter(({ quantity }) => quantity > 0),
    );
    await use(metering).adjust(
      environment,
      usages.filter(({ quantity }) => quantity < 0),
    );
  });
}

/** Moves the clock past the end of the present month, to when it may be closed. @returns the month that ended */
export function endMonth({ clock }: Pick<TestPlatform, 'clock'>): string {
  const period = periodOf(clock.now());
  clock.advance(endOf(period).getTime() + closeDelayMs - clock.now().getTime());
  return period;
}

/** Closes the months that can be closed, as the recurring job does. */
export async function closeMonths(platform: TestPlatform, node: Platform = platform.running): Promise<void> {
  await queueMonthCloses(node.services);
  await platform.settled();
}
