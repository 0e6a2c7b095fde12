import { permissionOf, testRefusal, type Operation } from '../operation.js';
import { propertiesOf } from '../schema/schema.js';

/** Codes that every operation can answer. */
const always = [
  'invalid_json',
  'invalid_input',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
  'rate_limited',
  'not_found',
  'internal_error',
  'unavailable',
];

/**
 * The error codes that every operation of this access and impact can answer, beside those that the operation declares.
 * @param signsIn whether people can sign in to this deployment, and so call with a dashboard session
 * @param userRefusals the codes of the enabled plugins that refuse end users (see Plugin)
 */
export function commonCodesOf(operation: Operation, signsIn: boolean, userRefusals: readonly string[]): string[] {
  const { access, impact, needs = {} } = operation;
  const forPublishable = access === 'publishable' || access === 'user';
  // Optional for some publishable operations: see `resolveUser`.
  const takesUser = forPublishable && 'accessToken' in propertiesOf(operation.input);
  return [
    ...always,
    ...(impact.read ? [] : ['idempotency_mismatch', 'idempotency_in_progress']),
    ...(access === 'public' ? [] : ['unauthenticated', 'forbidden', 'project_archived']),
    ...(permissionOf(operation) === null ? [] : ['permission_required']),
    ...(access === 'secret' || access === 'operator'
      ? ['secret_key_required', 'environment_required', ...(signsIn ? ['token_invalid', 'mfa_required'] : [])]
      : []),
    ...(access === 'operator' ? ['operator_only'] : []),
    ...(testRefusal(operation) === null ? [] : ['live_only']),
    ...(forPublishable ? ['publishable_key_required', 'origin_not_allowed'] : []),
    ...(takesUser ? ['token_invalid', ...userRefusals] : []),
    ...(needs.recentSignIn ? ['reauth_required'] : []),
    ...(needs.secondFactor || needs.secondFactorIfActive || (takesUser && !needs.withoutRequiredFactor)
      ? ['mfa_required']
      : []),
    ...(needs.notImpersonated ? ['impersonation_forbidden'] : []),
  ];
}
