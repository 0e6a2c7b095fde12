import type { Channel } from './ports.js';

/** Every channel, in the order in which lists show them. */
export const channels = ['email', 'sms'] as const satisfies readonly Channel[];
