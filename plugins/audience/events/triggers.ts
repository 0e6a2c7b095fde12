import type { EventTriggers } from '../ports.js';

/** Stands in while no enabled product has automations: an event then enrols nobody. */
export const noTriggers = (): EventTriggers => ({ recorded: () => Promise.resolve([]) });
