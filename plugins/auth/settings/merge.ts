import { mergeApps } from './apps.js';
import type { AuthSettingsValue, SettingsPatch } from './resources.js';

/**
 * Settings with a patch applied: objects merge key by key, lists are replaced.
 * @returns new settings; the given settings are not changed
 */
export function mergeSettings(settings: AuthSettingsValue, patch: SettingsPatch): AuthSettingsValue {
  const { rateLimits, botProtection } = settings;
  return {
    accessTokenSeconds: patch.accessTokenSeconds ?? settings.accessTokenSeconds,
    refreshTokenSeconds: patch.refreshTokenSeconds ?? settings.refreshTokenSeconds,
    rateLimits: {
      startPerIdentifier: { ...rateLimits.startPerIdentifier, ...patch.rateLimits?.startPerIdentifier },
      startPerIp: { ...rateLimits.startPerIp, ...patch.rateLimits?.startPerIp },
      completePerIp: { ...rateLimits.completePerIp, ...patch.rateLimits?.completePerIp },
    },
    botProtection: {
      enabled: patch.botProtection?.enabled ?? botProtection.enabled,
      signupPerIp: { ...botProtection.signupPerIp, ...patch.botProtection?.signupPerIp },
    },
    signup: { ...settings.signup, ...patch.signup },
    methods: { ...settings.methods, ...patch.methods },
    mfa: { ...settings.mfa, ...patch.mfa },
    password: { ...settings.password, ...patch.password },
    passkeys: { ...settings.passkeys, ...patch.passkeys },
    organizations: { ...settings.organizations, ...patch.organizations },
    redirectUrls: patch.redirectUrls ?? settings.redirectUrls,
    impersonation: { ...settings.impersonation, ...patch.impersonation },
    selfDelete: { ...settings.selfDelete, ...patch.selfDelete },
    claims: mergeClaims(settings.claims, patch.claims),
    apps: mergeApps(settings.apps, patch.apps),
  };
}

/** Claims with a patch applied: null removes one. */
export const mergeClaims = (
  claims: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>> = {},
): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...claims, ...patch }).flatMap(([claim, key]) => (key === null ? [] : [[claim, key]])),
  );
