import { errors as joseErrors } from 'jose';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { isClaims } from '../providers/claims.js';
import { ProviderProblem, quoted } from '../providers/provider-problem.js';
import type { ErrorMakers } from '#core/kernel/errors/errors.js';

const tokenProblems: Readonly<Record<string, string>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'its ID token has expired or is not valid yet',
  OAUTH_PARSE_ERROR: 'its response is not valid JSON',
  OAUTH_RESPONSE_IS_NOT_JSON: 'its response is not JSON',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'it returned an unexpected HTTP status',
};

/**
 * What went wrong at a provider, based on what openid-client, jose or the HTTP client threw.
 * @throws the error itself if it comes from none of them
 */
export function problemOf(error: unknown): ProviderProblem {
  const own = ownProblem(error);
  if (own) return own;
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const { error: code, error_description: description } = error;
    return failed(`it returned “${quoted(code)}”${description === undefined ? '' : `: ${quoted(description)}`}`);
  }
  if (error instanceof WWWAuthenticateChallengeError) return failed('it rejected the client id or secret');
  if (error instanceof joseErrors.JOSEError) return failed('the signature of its ID token could not be verified');
  if (error instanceof ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return factOf(error.cause, 'attribute') === 'sub'
      ? new ProviderProblem(
          'another_account',
          'its userinfo endpoint returned a different account (sub) than its ID token',
        )
      : failed('its discovery document names a different issuer');
  if (error instanceof ClientError) return failed(clientProblem(error));
  // openid-client parses the addresses in the discovery document with URL.
  if (error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_URL')
    return failed('its discovery document contains an invalid URL');
  throw error;
}

const failed = (message: string): ProviderProblem => new ProviderProblem('failed', message);

/** openid-client wraps what its fetch hook throws. */
function ownProblem(error: unknown): ProviderProblem | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProviderProblem) return at;
  return undefined;
}

function clientProblem(error: ClientError): string {
  const { code, cause } = error;
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED')
    return `its ID token has an unexpected ${factOf(cause, 'claim') ?? 'claim'}`;
  return (code !== undefined && tokenProblems[code]) || quoted(cause instanceof Error ? cause.message : error.message);
}

/** oauth4webapi names the claim or attribute that differs in the cause of its error. */
function factOf(error: unknown, name: 'claim' | 'attribute'): string | undefined {
  const facts: unknown = error instanceof Error ? error.cause : undefined;
  const fact = isClaims(facts) ? facts[name] : undefined;
  return typeof fact === 'string' ? fact : undefined;
}

/** The refusal for a provider that failed a sign-in. */
export const providerFailed = <R>(
  make: ErrorMakers<'provider_failed', R>,
  name: string,
  { message }: Pick<ProviderProblem, 'message'>,
): R =>
  make.provider_failed({
    provider: name,
    problem: message,
    nextStep:
      'Start again with auth.oauth.start. If it fails again, compare the provider’s settings with auth.oauth.app.list and correct them with auth.oauth.app.set.',
  });
