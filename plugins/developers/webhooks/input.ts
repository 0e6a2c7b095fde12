import { nearest } from '#config/nearest.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import { list, text, url } from '#core/kernel/schema/schema.js';
import { createAddressRules } from '#core/runtime/http-client/address-rules.js';
import { validateUrl } from '#core/runtime/http-client/url-rules.js';

/** What the column holds; a URL may be twice as many bytes as characters. */
const urlBytes = 2048;
export const endpointUrl = url('Where events are sent. https; in test environments http too.', { pattern: '^\\S+$' });
export const eventTypes = list(
  // No pattern: whatever is no event's name is refused as just that, with the nearest name.
  text('An event’s name, or `product.*`.', { minLength: 1, maxLength: 100 }),
  'Exact names and `product.*`; empty for every event.',
  { maxItems: 200, uniqueItems: true },
);
export const description = text('Yours, for people.', { maxLength: 500 });

/** @throws url_not_allowed for addresses that are private, not https, or carry credentials */
export function mustBeCallable(
  address: string,
  caller: TenantCaller,
  { settings }: Deployment,
  fail: ErrorMakers<'url_not_allowed', SvcError>,
): void {
  if (Buffer.byteLength(address) > urlBytes)
    throw fail.url_not_allowed({ problem: `The URL must have at most ${urlBytes} bytes` });
  const verdict = validateUrl(
    address,
    { http: caller.environment.kind === 'test' },
    createAddressRules(settings.outboundAllow),
  );
  if (!verdict.ok) throw fail.url_not_allowed({ problem: verdict.problem.replace(/\.$/, '') });
}

/** @throws unknown_event_type naming the first name that no enabled product emits */
export function mustExist(
  types: readonly string[],
  known: readonly string[],
  fail: ErrorMakers<'unknown_event_type', SvcError>,
): void {
  const products = new Set(known.map((name) => name.split('.')[0]));
  for (const name of types) {
    if (name.endsWith('.*') ? products.has(name.slice(0, -2)) : known.includes(name)) continue;
    const guess = nearest(name, [...known, ...[...products].map((product) => `${product ?? ''}.*`)]);
    throw fail.unknown_event_type({
      name,
      suggestion: `${guess === undefined ? '' : `Did you mean ${guess}? `}The names stand at /openapi.json under x-svc-events; email.* means all of a product’s.`,
    });
  }
}
