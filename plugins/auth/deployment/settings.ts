import { integerSetting, urlSetting, type Setting } from '#config/declare.js';
import { openGeoip, type Locate } from './geoip.js';

const geoip: Setting<Locate | undefined> = {
  variable: 'SVC_GEOIP_FILE',
  description: 'A GeoIP database in the MaxMind format (.mmdb, cities or countries), for the `location` of sessions.',
  defaultValue: undefined,
  defaultText: 'sessions have no location',
  read: openGeoip,
};

/** The deployment's settings for sign-in. */
export const deploymentSettings = {
  passwordThreads: integerSetting({
    variable: 'SVC_PASSWORD_THREADS',
    description:
      'How many threads hash passwords in each process. More than there are cores check no more passwords, and delay other calls.',
    defaultValue: undefined,
    defaultText: 'one per core, at most 8',
    minimum: 1,
    maximum: 64,
  }),
  breachedPasswordsUrl: urlSetting({
    variable: 'SVC_BREACHED_PASSWORDS_URL',
    description:
      'Service that new passwords are looked up at, by the first five digits of their SHA-1: https://api.pwnedpasswords.com/range, or your own copy of it.',
    defaultValue: undefined,
    defaultText: 'only the list of common passwords that ships is used',
    protocols: ['https', 'http'],
  }),
  geoip,
} as const;
