import type { ErrorMakers } from '#core/kernel/errors/errors.js';
import type { ProviderProblem } from '../providers/provider-problem.js';

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
