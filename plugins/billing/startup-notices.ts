import { counted } from '#config/counted.js';
import type { Services } from '#core/kernel/services.js';
import { tariffOf } from './settings/tariff.js';

/** What the deployment charges. */
export function startupNotices({ deployment }: Services): string[] {
  const { list, currency } = tariffOf(deployment);
  if (list === undefined)
    return ['billing    everything is free: usage is metered and costs nothing. Set SVC_PRICES_FILE to charge for it.'];
  const count = list.entries.length;
  return [`billing    ${counted(count, 'price')} in ${currency}`];
}
