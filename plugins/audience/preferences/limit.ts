import { perIp, type NamedLimit } from '#core/kernel/limits/named-limit.js';

/** Looking at preferences and changing them are counted in one (specification, Limits: preferences page). */
export const preferencesLimit = (words: string): NamedLimit =>
  perIp({ name: 'audience.preferences', max: 60, windowSeconds: 600, words });
