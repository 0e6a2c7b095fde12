import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';

/** The largest audience of one broadcast. */
export const mostRecipients = 2_000_000;

/** @throws audience_too_large */
export function requireSendable(recipients: number, fail: ErrorMakers<'audience_too_large', SvcError>): void {
  if (recipients > mostRecipients) throw fail.audience_too_large({ recipients, limit: mostRecipients });
}
