import type { Role } from '#core/kernel/caller/caller.js';
import { roleHolds } from '#core/kernel/caller/permissions.js';
import { invalidField, invalidFields } from '#core/kernel/errors/invalid-field.js';
import { list, text } from '#core/kernel/schema/schema.js';

const port = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

/** Browser origins (RFC 6454): scheme, host and port, without a path. */
export const allowedOrigins = list(
  text('An origin such as https://app.example.com.', {
    pattern: `^https?://[a-z0-9.-]+(:${port})?$`,
    maxLength: 300,
  }),
  'For publishable keys: the browser origins that may use the key. By default, any origin.',
  { minItems: 1, maxItems: 50, uniqueItems: true },
);

/**
 * Checks that origins are written as browsers send them in the header Origin. Otherwise they would never match.
 * @throws invalid_input naming the first one that is not
 */
export function requireOrigins(origins: readonly string[]): void {
  for (const [index, origin] of origins.entries()) {
    const sent = URL.canParse(origin) ? new URL(origin).origin : undefined;
    if (sent === origin) continue;
    const hint = sent === undefined ? '' : `: browsers send ${sent}`;
    throw invalidField(`allowedOrigins[${index}]`, `is not an origin as browsers send it${hint}`);
  }
}

/**
 * Checks that a key's role holds permissions. A key never allows more than its role, so others would have no effect.
 * @throws invalid_input naming those that it does not hold
 */
export function requireRoleHolds(role: Role, permissions: readonly string[]): void {
  const withheld = permissions.filter((permission) => !roleHolds(role, permission)).join(', ');
  if (withheld === '') return;
  throw invalidFields([
    {
      field: 'permissions',
      problem: `contains ${withheld}, which the role of this key (${role}) does not hold`,
      nextStep: `Leave out ${withheld}, or ask somebody whose role holds it to create another key with developers.key.create.`,
    },
  ]);
}
