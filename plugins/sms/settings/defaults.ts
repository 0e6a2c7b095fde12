import type { SmsSettingsValue } from './resources.js';

/** The settings that an environment has changed. */
export type ChangedSettings = {
  -readonly [Name in keyof SmsSettingsValue]?: SmsSettingsValue[Name] extends
    readonly unknown[] | null | string | number
    ? SmsSettingsValue[Name]
    : Partial<SmsSettingsValue[Name]>;
};

/** The settings of an environment until it changes something. */
export const defaultSettings: SmsSettingsValue = {
  defaultNumberId: null,
  quietHours: { enabled: false, from: '21:00', to: '08:00' },
  keywords: { stop: [], start: [], help: [] },
  replies: { stop: null, start: null, help: null },
  maxSegments: 6,
  consentByStart: null,
};

/** Settings with a change applied: objects merge key by key, lists are replaced. */
export const mergeSettings = (settings: SmsSettingsValue, changed: ChangedSettings): SmsSettingsValue => ({
  defaultNumberId: changed.defaultNumberId === undefined ? settings.defaultNumberId : changed.defaultNumberId,
  quietHours: { ...settings.quietHours, ...changed.quietHours },
  keywords: { ...settings.keywords, ...changed.keywords },
  replies: { ...settings.replies, ...changed.replies },
  maxSegments: changed.maxSegments ?? settings.maxSegments,
  consentByStart: changed.consentByStart === undefined ? settings.consentByStart : changed.consentByStart,
});
