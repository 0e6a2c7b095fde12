import type { Deployment } from '#core/kernel/deployment.js';
import { deploymentSettings } from './deployment-settings.js';
import type { PriceList } from '../prices/price-list.js';

/** The deployment's prices and currency. */
export interface Tariff {
  /** Undefined if everything is free. */
  readonly list: PriceList | undefined;
  readonly currency: string;
}

export function tariffOf(deployment: Deployment): Tariff {
  const { prices, currency } = deployment.settingsOf(deploymentSettings);
  return { list: prices, currency };
}
