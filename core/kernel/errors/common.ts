import { declareErrors, makersOf, type SvcError } from './errors.js';

/** Codes that the kernel returns, and codes that several products use. */
export const commonErrors = declareErrors({
  invalid_json: {
    status: 400,
    message: 'The request body is not valid JSON: {problem}.',
    fix: 'Send a JSON object as the body, or an empty object if the operation takes no input.',
  },
  invalid_input: {
    status: 400,
    message: 'The field “{field}” {problem}.',
    fix: 'Correct “{field}”: it {problem}. The operation’s input is described at /openapi.json.',
  },
  environment_required: {
    status: 400,
    message: 'A dashboard session must name the environment it acts in.',
    fix: 'Send the header Svc-Environment with one of the ids in details.environments.',
  },
  unauthenticated: {
    status: 401,
    message: 'No valid key was presented: {problem}.',
    fix: 'Send the header "Authorization: Bearer <API key>" with a key of this deployment that is not revoked.',
  },
  token_invalid: {
    status: 401,
    message: 'The access token is invalid or its session has ended.',
    fix: 'Sign in again and pass the new access token.',
  },
  reauth_required: {
    status: 403,
    message: '{operation} needs a recent sign-in: this session signed in more than {minutes} minutes ago.',
    fix: 'Let the user sign in again, then call {operation} within {minutes} minutes with the new access token.',
  },
  mfa_required: {
    status: 403,
    message: '{operation} needs a session that passed a second factor.',
    fix: 'Let the user set up a second factor if they have none, sign in with it, then call {operation} with the new access token.',
  },
  impersonation_forbidden: {
    status: 403,
    message: '{operation} cannot be called while impersonating a user.',
    fix: 'Let the user call {operation} in their own session.',
  },
  url_not_allowed: {
    status: 403,
    message: 'The URL is not allowed: {problem}.',
    fix: 'Pass a public https URL; in test environments webhooks and sign-in providers may use http. The operator allows private ranges with SVC_OUTBOUND_ALLOW.',
  },
  forbidden: {
    status: 403,
    message: 'This is not allowed: {problem}.',
    fix: '{nextStep}',
  },
  live_only: {
    status: 403,
    message: '{operation} reaches beyond the test environment that called it.',
    fix: 'Call {operation} with a key of the live environment, or in a dashboard session with the live environment in Svc-Environment.',
  },
  project_archived: {
    status: 403,
    message: 'The project that this call acts in is archived.',
    fix: 'Use a key of another project. To use this one again, call account.project.update with archived: false, with a live key of another project of the account or in a dashboard session.',
  },
  operator_only: {
    status: 403,
    message: 'Only the operator of this deployment may call {operation}.',
    fix: 'Use a live secret key with an owner’s role of the deployment’s first account.',
  },
  origin_not_allowed: {
    status: 403,
    message: 'This publishable key may not be used from {origin}.',
    fix: 'Add {origin} to the key’s allowedOrigins with {update}.',
  },
  owner_only: {
    status: 403,
    message: 'Only an owner can do this.',
    fix: 'Ask an owner of the account to do it, or use a key that an owner made.',
  },
  permission_exceeds_caller: {
    status: 403,
    message: 'You cannot grant, change or take away what you do not hold yourself: {permissions}.',
    fix: 'Leave out {permissions} if this call chooses them. Otherwise ask somebody who holds them, such as an owner of the account, or use a key that does. If no key does, because the product was enabled later, an owner who is signed in can grant them, or the operator with npm run bootstrap -- --grant <key id>.',
  },
  permission_required: {
    status: 403,
    message: '{holder} does not hold {permission}, which {operation} needs.',
    fix: 'Use a key that holds {permission}, or {otherwise}.',
  },
  publishable_key_required: {
    status: 403,
    message: '{operation} runs with a publishable key.',
    fix: 'Use a publishable key (svc_live_pk… or svc_test_pk…) of the environment; secret keys stay on servers.',
  },
  secret_key_required: {
    status: 403,
    message: '{operation} runs with a secret key.',
    fix: 'Call it from a server with a secret key (svc_live_… or svc_test_…) that holds the permission.',
  },
  callback_rejected: {
    status: 403,
    message: 'The callback was rejected: {problem}.',
    fix: '{nextStep}',
  },
  not_found: {
    status: 404,
    message: 'There is no such {thing} in this environment.',
    fix: 'Check the id or name that you sent; {lookup} shows what exists.',
  },
  product_disabled: {
    status: 404,
    message: 'The product {product} is not enabled in this deployment.',
    fix: 'Add {product} to SVC_PRODUCTS and start the server again.',
  },
  unknown_operation: {
    status: 404,
    message: 'There is no operation at {path}.',
    fix: '{suggestion}',
  },
  method_not_allowed: {
    status: 405,
    message: 'Operations are called with POST; this was {method}.',
    fix: 'Send a POST request with a JSON body to {path}.',
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive whole within {seconds} s.',
    fix: 'Send the whole body within {seconds} s.',
  },
  idempotency_in_progress: {
    status: 409,
    passes: true,
    message: 'A call with the same Idempotency-Key is still running.',
    fix: 'Wait a second, then repeat the call with the same Idempotency-Key to get its answer.',
  },
  idempotency_mismatch: {
    status: 409,
    message: 'The same {key} was used with different input {before}.',
    fix: 'Use a new {key} for {other}; repeat a call with exactly the input it had.',
  },
  draft_missing: {
    status: 409,
    message: 'The {thing} has no draft to publish.',
    fix: 'Save a draft with {save}, then publish it.',
  },
  limit_reached: {
    status: 409,
    message: 'The limit of {limit} {things} is reached.',
    fix: '{nextStep}',
  },
  project_in_use: {
    status: 409,
    message: 'The project “{project}” cannot be archived: it still has {things}.',
    fix: '{nextStep}',
  },
  changed_meanwhile: {
    status: 409,
    message: 'The {thing} has changed since you read it: at {at}{by}. Nothing was saved.',
    fix: 'Read the {thing} again, {nextStep}',
  },
  name_taken: {
    status: 409,
    message: 'Another {thing} is already called “{name}”.',
    fix: 'Choose another name for the {thing}.',
  },
  batch_too_large: {
    status: 413,
    message: 'The call contains {count} {things}; the limit is {limit} per call.',
    fix: 'Send at most {limit} {things} per call, and the rest in more calls.',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is larger than {limit} bytes.',
    fix: 'Send at most {limit} bytes to this operation.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be application/json; this was {type}.',
    fix: 'Send the header "Content-Type: application/json", and the body as it is, without Content-Encoding.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests: {limit}.',
    fix: 'Wait {seconds} seconds, then call again.',
  },
  internal_error: {
    status: 500,
    message: 'The server failed. This is our fault.',
    fix: 'Send the requestId to the operator of this server, who can find the cause in the log with it.',
  },
  provider_failed: {
    status: 502,
    message: '{provider} failed: {problem}.',
    fix: '{nextStep}',
  },
  provider_not_configured: {
    status: 503,
    passes: false,
    message: '{owner} has no {provider} configured.',
    fix: '{nextStep}',
  },
  unavailable: {
    status: 503,
    message: 'The server cannot answer now: {problem}.',
    fix: 'Repeat the call with the same Idempotency-Key in a few seconds.',
  },
});

declare module './errors.js' {
  interface DeclaredErrors extends Readonly<typeof commonErrors> {}
}

export type CommonCode = keyof typeof commonErrors;

/** Creates the common errors, for use by the kernel and the surfaces. Handlers use their context's `fail`. */
export const refusalOf = makersOf<CommonCode, SvcError>(commonErrors, (error) => error);
