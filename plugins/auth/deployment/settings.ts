import { integerSetting, urlSetting, whetherSet, type Setting } from '#config/declare.js';
import { openGeoip, type Locate } from './geoip.js';

const geoip: Setting<Locate | undefined> = {
  variable: 'SVC_GEOIP_FILE',
  share: 'node',
  description:
    'A GeoIP database in MaxMind DB format (.mmdb, cities or countries). Fills in the `location` of sessions.',
  defaultValue: undefined,
  defaultText: 'sessions have no location',
  read: openGeoip,
};

/** The deployment's settings for sign-in. */
export const deploymentSettings = {
  passwordThreads: integerSetting({
    variable: 'SVC_PASSWORD_THREADS',
    share: 'node',
    description:
      'The number of threads that hash passwords in each process. More threads than cores do not check more passwords, and they delay other calls.',
    defaultValue: undefined,
    defaultText: 'one per core, at most 8',
    minimum: 1,
    maximum: 64,
  }),
  breachedPasswordsUrl: urlSetting({
    variable: 'SVC_BREACHED_PASSWORDS_URL',
    share: 'deployment',
    identity: whetherSet,
    description:
      'A service that looks up new passwords by the first five digits of their SHA-1: https://api.pwnedpasswords.com/range, or your own copy of it.',
    defaultValue: undefined,
    defaultText: 'only the built-in list of common passwords is used',
    protocols: ['https', 'http'],
  }),
  geoip,
} as const;
