import type { Deployment } from '#core/kernel/deployment.js';

/**
 * The smallest amount that can be collected, in micro-units: invoices below it are carried over to the next one. 0 where the operator
 * collects.
 */
export const smallestAmount = (_deployment: Deployment): bigint => 0n;
