import { nearest } from '#config/nearest.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { productOf } from '#core/kernel/caller/permissions.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import { list, text, url } from '#core/kernel/schema/schema.js';
import { createAddressRules } from '#core/runtime/http-client/address-rules.js';
import { validateUrl } from '#core/runtime/http-client/url-rules.js';

/** The size of the column in bytes. The schema limits characters, which may take several bytes each. */
const urlBytes = 2048;
export const endpointUrl = url(
  'The URL that events are sent to. It must use https; test environments also accept http.',
  { pattern: '^\\S+$' },
);
export const eventTypes = list(
  // No pattern, so that any unknown name is refused as unknown_event_type with the nearest name.
  text('An event name, or `product.*`.', { minLength: 1, maxLength: 100 }),
  'Exact event names and `product.*`; empty for every event.',
  { maxItems: 200, uniqueItems: true },
);
export const description = text('A description for people.', { maxLength: 500 });

/** Validates an endpoint URL. @throws url_not_allowed if it is private, not https, too long or contains credentials */
export function requireAllowedUrl(
  address: string,
  caller: TenantCaller,
  { settings }: Deployment,
  fail: ErrorMakers<'url_not_allowed', SvcError>,
): void {
  if (Buffer.byteLength(address) > urlBytes)
    throw fail.url_not_allowed({ problem: `The URL must have at most ${urlBytes} bytes` });
  const result = validateUrl(
    address,
    { http: caller.environment.kind === 'test' },
    createAddressRules(settings.outboundAllow),
  );
  if (!result.ok) throw fail.url_not_allowed({ problem: result.problem.replace(/\.$/, '') });
}

/**
 * Validates an event filter.
 * @param wildcards whether `product.*` is allowed for all events of a product
 * @throws unknown_event_type for the first name that no enabled product emits
 */
export function requireKnownTypes(
  types: readonly string[],
  known: readonly string[],
  fail: ErrorMakers<'unknown_event_type', SvcError>,
  { wildcards = true } = {},
): void {
  const products = wildcards ? [...new Set(known.map(productOf))] : [];
  for (const name of types) {
    if (name.endsWith('.*') ? products.includes(name.slice(0, -2)) : known.includes(name)) continue;
    throw fail.unknown_event_type({ name, suggestion: suggestionFor(name, known, products) });
  }
}

/** A longer answer would be a list, for which there is /openapi.json. */
const maxNamed = 12;

/**
 * The next step for an unknown name: the nearest name or, for a wildcard below a product, the events that it was meant
 * to match.
 */
function suggestionFor(name: string, known: readonly string[], products: readonly string[]): string {
  const meant = name.endsWith('.*') ? known.filter((each) => each.startsWith(name.slice(0, -1))) : [];
  const guess = nearest(name, [...known, ...products.map((product) => `${product}.*`)]);
  const covering = products.filter((product) => product === productOf(name));
  const wildcards = (covering.length > 0 ? covering : products).map((product) => `${product}.*`).join(', ');
  return [
    meant.length > 0
      ? `Name the events instead: ${meant.slice(0, maxNamed).join(', ')}${meant.length > maxNamed ? ' …' : ''}.`
      : guess === undefined
        ? ''
        : `Did you mean ${guess}?`,
    wildcards === '' ? '' : `A wildcard matches all events of a product: ${wildcards}.`,
    '/openapi.json lists all event names under x-svc-events.',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
