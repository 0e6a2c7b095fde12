import type { Setting } from '#config/declare.js';
import { openGeoip, type Locate } from './geoip.js';

const geoip: Setting<Locate | undefined> = {
  variable: 'SVC_GEOIP_FILE',
  description: 'A GeoIP database in the MaxMind format (.mmdb, cities or countries), for the `location` of sessions.',
  defaultValue: undefined,
  defaultText: 'sessions have no location',
  read: openGeoip,
};

export const settings = { geoip } as const;
