import { counted } from '#config/counted.js';
import type { Services } from '#core/kernel/services.js';
import { periodOf } from './periods/months.js';
import { pricesOf } from './prices/price-list.js';
import { tariffOf } from './settings/tariff.js';

/**
 * The deployment's prices: the prices of the present month, as billing.price.list shows them, and the ones that replace
 * some of them later.
 */
export function startupNotices({ deployment, clock }: Pick<Services, 'deployment' | 'clock'>): string[] {
  const { list, currency } = tariffOf(deployment);
  if (list === undefined)
    return ['billing    everything is free: usage is metered but not charged. Set SVC_PRICES_FILE to charge for it.'];
  const period = periodOf(clock.now());
  const later = list.entries.filter(({ from }) => from > period).length;
  const note = later === 0 ? '' : `, and ${later} that ${later === 1 ? 'takes' : 'take'} effect in a later month`;
  return [`billing    ${counted(pricesOf(list, period).entries.length, 'price')} in ${currency}${note}`];
}
