import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { defaultsOf } from '../../settings/dashboard.js';
import { defaultSettings, AuthSettings } from '../../settings/resources.js';
import { loadSettings } from '../../settings/load.js';

export default defineOperation({
  name: 'auth.settings.get',
  summary: 'Returns every sign-in setting with its current value and its default.',
  keywords: 'configuration options token lifetime rate limits redirect claims signup methods',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({ settings: AuthSettings, defaults: AuthSettings }),
  example: { input: {}, output: { settings: defaultSettings, defaults: defaultSettings } },

  async handle(_input, context) {
    const { environment } = context.caller;
    return {
      settings: await loadSettings(context.db, environment.id),
      defaults: await defaultsOf(context, environment),
    };
  },
});
