import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  delivery_not_replayable: {
    status: 409,
    message: 'The delivery is {status}: only failed and dead ones are sent again.',
    fix: 'Wait until it has ended, or list failed ones with developers.webhook.deliveries.list.',
  },
  endpoint_disabled: {
    status: 409,
    message: 'The endpoint {url} is disabled.',
    fix: 'Call developers.webhook.enable for it, then call again.',
  },
  unknown_event_type: {
    status: 404,
    message: 'svc emits no event named {name}.',
    fix: '{suggestion}',
  },
  url_not_allowed: {
    status: 403,
    message: 'The address cannot be called: {problem}.',
    fix: 'Give a public https address; an operator can permit private ranges with SVC_OUTBOUND_ALLOW.',
  },
  key_revoked: {
    status: 409,
    message: 'The key “{name}” is revoked.',
    fix: 'Create a new key with developers.key.create; a revoked key cannot be restored.',
  },
  last_key: {
    status: 409,
    message: '“{name}” is the last key of the environment {environment} that holds developers:write.',
    fix: 'Create another key that holds developers:write in that environment with developers.key.create first. Keys of a member who is being lowered or removed do not count.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
