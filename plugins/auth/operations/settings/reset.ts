import { updateTime } from '#core/kernel/audit/unchanged.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { settingChanges } from '#core/kernel/environment/settings.js';
import { changeApps } from '../../settings/change-apps.js';
import { defaultsOf } from '../../settings/dashboard.js';
import { defaultSettings, AuthSettings } from '../../settings/resources.js';
import { lockSettings, settingsTime, storeSettings } from '../../settings/store.js';

export default defineOperation({
  name: 'auth.settings.reset',
  summary: 'Resets every sign-in setting to its default.',
  keywords: 'restore configuration',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({}),
  output: object({ settings: AuthSettings }),
  events: ['auth.settings.reset'],
  example: { input: {}, output: { settings: defaultSettings } },

  async handle(_input, context) {
    const { db, caller, clock, emit, audit } = context;
    const { id } = caller.environment;
    const defaults = await defaultsOf(context, caller.environment);
    const before = await lockSettings(context, caller.environment);
    const changes = settingChanges(before, defaults);
    audit({
      subject: { type: 'environment', id },
      summary: 'Reset the sign-in settings to their defaults.',
      changes,
      unchanged: 'the sign-in settings already had their defaults.',
    });
    if (changes.length > 0) {
      await changeApps(context, caller.environment, { before: before.apps, after: defaults.apps });
      await storeSettings(
        db,
        id,
        defaults,
        updateTime({ updatedAt: (await settingsTime(db, id)) ?? clock.now() }, clock.now()),
      );
      emit('auth.settings.reset', { subjectId: id, data: { settings: defaults } });
    }
    return { settings: defaults };
  },
});
