import type { AuthSettingsValue } from './resources.js';

/** The settings of an environment until it changes them (docs/sign-in.md). */
export const defaultSettings: AuthSettingsValue = {
  accessTokenSeconds: 900,
  refreshTokenSeconds: 2_592_000,
  rateLimits: {
    startPerIdentifier: { max: 5, windowSeconds: 600 },
    startPerIp: { max: 30, windowSeconds: 600 },
    completePerIp: { max: 30, windowSeconds: 600 },
  },
  botProtection: { enabled: true, signupPerIp: { max: 5, windowSeconds: 3_600 } },
  signup: { allow: 'anyone', allowedDomains: [], blockedDomains: [] },
  methods: {
    code: { enabled: true },
    link: { enabled: true },
    password: { enabled: true },
    passkey: { enabled: true },
    // Acquiring a number to send texts must not enable a way to sign in.
    sms: { enabled: false },
  },
  mfa: { required: false },
  password: { minLength: 8, checkBreached: true },
  passkeys: { rpId: '' },
  organizations: { enabled: true, maxPerUser: 100 },
  redirectUrls: [],
  impersonation: { enabled: true },
  selfDelete: { enabled: false },
  claims: {},
};
