import type { Change } from '#core/kernel/context.js';
import type { LoweredKey, MadeEndpoint } from '#core/kernel/ports.js';

/**
 * For the audit record of a member who was removed or lowered: every key they created or rotated, before and after.
 * They may still know these keys, so the list tells an owner which keys to rotate.
 */
export const keyChanges = (lowered: readonly LoweredKey[]): Change[] =>
  lowered.length === 0
    ? []
    : [{ field: 'keys', from: lowered.map(({ before }) => before), to: lowered.map(({ after }) => after) }];

/**
 * For the same record: the webhook endpoints that the member created. They continue to work, so an owner should check
 * their addresses.
 */
export const endpointChanges = (endpoints: readonly MadeEndpoint[]): Change[] =>
  endpoints.length === 0 ? [] : [{ field: 'webhookEndpoints', from: null, to: [...endpoints] }];
