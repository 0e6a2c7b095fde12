import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, nullable, object } from '#core/kernel/schema/schema.js';
import { defaultsOf } from '../../settings/dashboard.js';
import { defaultSettings, AuthSettings } from '../../settings/resources.js';
import { loadSettings } from '../../settings/load.js';
import { settingsTime } from '../../settings/store.js';

export default defineOperation({
  name: 'auth.settings.get',
  summary: 'Returns every sign-in setting with its current value and its default.',
  keywords: 'configuration options token lifetime rate limits redirect claims signup methods',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({
    settings: AuthSettings,
    defaults: AuthSettings,
    updatedAt: nullable(dateTime('When the settings were changed last; null until the first change.')),
  }),
  example: { input: {}, output: { settings: defaultSettings, defaults: defaultSettings, updatedAt: null } },

  async handle(_input, context) {
    const { environment } = context.caller;
    return {
      settings: await loadSettings(context.db, environment.id),
      defaults: await defaultsOf(context, environment),
      updatedAt: (await settingsTime(context.db, environment.id))?.toISOString() ?? null,
    };
  },
});
