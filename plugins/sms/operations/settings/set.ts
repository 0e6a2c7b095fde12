import { settingChanges } from '#core/kernel/environment/settings.js';
import { requireUnchanged } from '#core/kernel/audit/unchanged.js';
import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, ifUnchangedSince, object } from '#core/kernel/schema/schema.js';
import { recheckIfChanged } from '../../quiet-hours/changed.js';
import { checkSettings } from '../../settings/check.js';
import { defaultSettings, mergeSettings } from '../../settings/defaults.js';
import { settingsPatch, SmsSettings } from '../../settings/resources.js';
import { lockSettings, settingsTime, storeSettings } from '../../settings/store.js';

export default defineOperation({
  name: 'sms.settings.set',
  summary: 'Changes SMS settings; objects merge key by key.',
  description:
    'Fields that are left out stay as they are. Lists are replaced as a whole. A change applies from the next request on, on every node.',
  keywords: 'configure default number quiet hours keywords stop help replies',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({ ...settingsPatch, ifUnchangedSince }, { minProperties: 1 }),
  output: object({ settings: SmsSettings, updatedAt: dateTime('When the settings were changed last.') }),
  errors: ['topic_archived'],
  events: ['sms.settings.changed'],
  example: {
    input: { quietHours: { enabled: true } },
    output: {
      settings: { ...defaultSettings, quietHours: { ...defaultSettings.quietHours, enabled: true } },
      updatedAt: '2026-11-20T10:12:00.000Z',
    },
  },

  async handle(input, context) {
    const { environment } = context.caller;
    const before = await lockSettings(context, environment);
    const updatedAt = (await settingsTime(context.db, environment.id)) ?? context.clock.now();
    const subject = { type: 'environment', id: environment.id };
    const changed = { ...subject, operations: 'sms.settings.' };
    await requireUnchanged(context, input.ifUnchangedSince, { updatedAt }, changed);
    const settings = mergeSettings(before, input);
    const changes = settingChanges(before, settings);
    context.audit({
      subject,
      summary: 'Changed the SMS settings.',
      changes,
      unchanged: 'the SMS settings already had these values.',
    });
    if (changes.length === 0) return { settings, updatedAt: updatedAt.toISOString() };
    await checkSettings(context, environment, input, settings);
    const stored = await storeSettings(context, environment.id, settings);
    await recheckIfChanged(context, environment.id, before, settings);
    context.emit('sms.settings.changed', { subjectId: environment.id, data: { settings } });
    return { settings, updatedAt: stored.toISOString() };
  },
});
