import { PaymentRefused, PaymentUnavailable } from '../providers/provider.js';

/** The provider refused, or did not answer. */
export const isProviderProblem = (error: unknown): error is PaymentRefused | PaymentUnavailable =>
  error instanceof PaymentRefused || error instanceof PaymentUnavailable;

/** The parameters of provider_failed. @param operation what to call again */
export const providerProblem = (
  { message }: PaymentRefused | PaymentUnavailable,
  operation: string,
): { provider: string; problem: string; nextStep: string } => ({
  provider: 'The payment provider',
  problem: message.replace(/\.$/, ''),
  nextStep: `Call ${operation} again in a few minutes. If it fails again, contact the operator of this deployment.`,
});
