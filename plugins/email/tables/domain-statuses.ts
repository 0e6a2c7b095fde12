import { hourMs } from '#core/runtime/clock.js';
export const domainStatuses = ['pending', 'verified', 'failed'] as const;

/** How long a domain may be pending before it fails. */
const failsAfterMs = 72 * hourMs;

/** When a domain fails. @param pendingSince since when it is pending */
export const failsAt = (pendingSince: Date): Date => new Date(pendingSince.getTime() + failsAfterMs);
