import { settingChanges } from '#core/kernel/environment/settings.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { firstNumber } from '../../numbers/default-number.js';
import { recheckIfChanged } from '../../quiet-hours/changed.js';
import { defaultSettings } from '../../settings/defaults.js';
import { SmsSettings } from '../../settings/resources.js';
import { lockSettings, storeSettings } from '../../settings/store.js';

export default defineOperation({
  name: 'sms.settings.reset',
  summary: 'Resets every SMS setting to its default.',
  description: 'The default number becomes the environment’s first one, so messages can still be sent.',
  keywords: 'restore configuration',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({}),
  output: object({ settings: SmsSettings }),
  events: ['sms.settings.reset'],
  example: { input: {}, output: { settings: defaultSettings } },

  async handle(_input, context) {
    const { id } = context.caller.environment;
    const before = await lockSettings(context, { id });
    const settings = { ...defaultSettings, defaultNumberId: await firstNumber(context.db, id) };
    const changes = settingChanges(before, settings);
    context.audit({
      subject: { type: 'environment', id },
      summary: 'Reset the SMS settings to their defaults.',
      changes,
      unchanged: 'the SMS settings already had their defaults.',
    });
    if (changes.length > 0) {
      await storeSettings(context, id, settings);
      await recheckIfChanged(context, id, before, settings);
      context.emit('sms.settings.reset', { subjectId: id, data: { settings } });
    }
    return { settings };
  },
});
