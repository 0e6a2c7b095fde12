import { isTenant } from '#core/kernel/caller/caller.js';
import { perIp, type LimitWindow, type NamedLimit } from '#core/kernel/limits/named-limit.js';
import type { ReadContext } from '#core/kernel/context.js';
import { defaultSettings } from './defaults.js';
import { loadSettings } from './load.js';
import type { AuthSettingsValue } from './resources.js';

type RateLimit = keyof AuthSettingsValue['rateLimits'];

const fromSettings =
  (which: RateLimit) =>
  async ({ db, caller }: ReadContext): Promise<LimitWindow> =>
    (isTenant(caller) ? await loadSettings(db, caller.environment.id) : defaultSettings).rateLimits[which];

/** The limit `rateLimits.completePerIp` of the environment, for one way to complete a sign-in. */
export const completePerIp = (name: string): NamedLimit =>
  perIp({
    name,
    ...defaultSettings.rateLimits.completePerIp,
    description: '30 per IP in 10 minutes (rateLimits.completePerIp)',
    settings: fromSettings('completePerIp'),
  });
