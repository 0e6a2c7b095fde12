import type { SuppressionReason } from '../ports.js';

export const suppressionReasons = [
  'bounce',
  'complaint',
  'unsubscribe',
  'stop',
  'manual',
] as const satisfies readonly SuppressionReason[];

/** Reasons that the person caused, by unsubscribing, complaining or STOP: only the person can undo them. */
export const personalReasons: readonly SuppressionReason[] = ['complaint', 'unsubscribe', 'stop'];

export const isPersonalReason = (reason: SuppressionReason): boolean => personalReasons.includes(reason);
