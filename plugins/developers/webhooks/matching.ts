import type { Deployment } from '#core/kernel/deployment.js';
import { isReadable } from '../events/readable.js';
import type { WebhookRow } from '../tables/webhook.js';

/**
 * Whether a filter matches an event type. Names match exactly, `product.*` matches all events of a product, an empty
 * filter matches all.
 */
export function matchesFilter(eventTypes: readonly string[], type: string): boolean {
  if (eventTypes.length === 0) return true;
  return eventTypes.some((each) => each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))));
}

/** What decides which events an endpoint receives: its filter, and the products that its creator could read. */
export type Subscription = Pick<WebhookRow, 'eventTypes' | 'products'>;

export const isSubscribed = ({ eventTypes, products }: Subscription, type: string): boolean =>
  isReadable(type, products) && matchesFilter(eventTypes, type);

/** The names of all events that an endpoint receives. */
export const subscribedTo = (endpoint: Subscription, { events }: Deployment): string[] =>
  [...events.keys()].filter((type) => isSubscribed(endpoint, type));
