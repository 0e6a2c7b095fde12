import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  delivery_not_replayable: {
    status: 409,
    message:
      'The delivery is {status}. Only failed and dead deliveries, and those that wait for their next attempt, can be replayed.',
    fix: 'Wait until the delivery has failed, or list failed deliveries with developers.webhook.deliveries.list.',
  },
  endpoint_disabled: {
    status: 409,
    message: 'The endpoint {url} is disabled.',
    fix: 'Enable the endpoint with developers.webhook.enable, then retry.',
  },
  unknown_event_type: {
    status: 404,
    message: 'The service does not emit an event named {name}.',
    fix: '{suggestion}',
  },
  key_revoked: {
    status: 409,
    message: 'The key “{name}” is revoked.',
    fix: 'Create a new key with developers.key.create; a revoked key cannot be restored.',
  },
  last_key: {
    status: 409,
    message: '“{name}” is the last key in the environment {environment} that holds {what}.',
    fix: 'First create another key that holds {what} in that environment with developers.key.create. Keys of a member whose role is being lowered, or who is being removed, do not count.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
