import type { SuppressionReason } from '../ports.js';

export const suppressionReasons = [
  'bounce',
  'complaint',
  'unsubscribe',
  'stop',
  'manual',
] as const satisfies readonly SuppressionReason[];

/** Reasons that express the person's own wish: only the person can undo them. */
export const personalReasons: readonly SuppressionReason[] = ['complaint', 'unsubscribe', 'stop'];

export const isPersonsWish = (reason: SuppressionReason): boolean => personalReasons.includes(reason);
