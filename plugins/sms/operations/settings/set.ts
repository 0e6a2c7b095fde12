import { settingChanges } from '#core/kernel/environment/settings.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { recheckIfChanged } from '../../quiet-hours/changed.js';
import { checkSettings } from '../../settings/check.js';
import { defaultSettings, mergeSettings } from '../../settings/defaults.js';
import { settingsPatch, SmsSettings } from '../../settings/resources.js';
import { lockSettings, storeSettings } from '../../settings/store.js';

export default defineOperation({
  name: 'sms.settings.set',
  summary: 'Changes SMS settings; objects merge key by key.',
  description:
    'Fields that are left out stay as they are. Lists are replaced as a whole. A change applies from the next request on, on every node.',
  keywords: 'configure default number quiet hours keywords stop help replies',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(settingsPatch, { minProperties: 1 }),
  output: object({ settings: SmsSettings }),
  errors: ['topic_archived'],
  events: ['sms.settings.changed'],
  example: {
    input: { quietHours: { enabled: true } },
    output: { settings: { ...defaultSettings, quietHours: { ...defaultSettings.quietHours, enabled: true } } },
  },

  async handle(input, context) {
    const { environment } = context.caller;
    const before = await lockSettings(context, environment);
    const settings = mergeSettings(before, input);
    const changes = settingChanges(before, settings);
    context.audit({
      subject: { type: 'environment', id: environment.id },
      summary: 'Changed the SMS settings.',
      changes,
      unchanged: 'the SMS settings already had these values.',
    });
    if (changes.length === 0) return { settings };
    await checkSettings(context, environment, input, settings);
    await storeSettings(context, environment.id, settings);
    await recheckIfChanged(context, environment.id, before, settings);
    context.emit('sms.settings.changed', { subjectId: environment.id, data: { settings } });
    return { settings };
  },
});
