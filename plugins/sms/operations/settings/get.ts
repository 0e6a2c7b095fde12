import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, integer, list, nullable, object, text } from '#core/kernel/schema/schema.js';
import { deploymentSettings } from '../../deployment/settings.js';
import { defaultSettings } from '../../settings/defaults.js';
import { loadSettings } from '../../settings/load.js';
import { settingsTime } from '../../settings/store.js';
import { SmsSettings } from '../../settings/resources.js';

export default defineOperation({
  name: 'sms.settings.get',
  summary:
    'Returns the SMS settings, including the default number, quiet hours, keyword replies (STOP, START, HELP) and sender name.',
  keywords: 'configuration sender stop help opt-out',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({
    settings: SmsSettings,
    defaults: SmsSettings,
    updatedAt: nullable(dateTime('When the settings were changed last; null until the first change.')),
    allowedCountries: list(
      text(),
      'The countries that the operator allows messages to, ISO 3166-1 alpha-2; empty for all.',
    ),
    maxSegments: integer('The maximum number of segments per message, as in `settings`.'),
  }),
  example: {
    input: {},
    output: {
      settings: defaultSettings,
      defaults: defaultSettings,
      updatedAt: null,
      allowedCountries: ['DE', 'US'],
      maxSegments: 6,
    },
  },

  async handle(_input, { db, caller, deployment }) {
    const settings = await loadSettings(db, caller.environment.id);
    const { smsAllowedCountries } = deployment.settingsOf(deploymentSettings);
    return {
      settings,
      defaults: defaultSettings,
      updatedAt: (await settingsTime(db, caller.environment.id))?.toISOString() ?? null,
      allowedCountries: [...smsAllowedCountries],
      maxSegments: settings.maxSegments,
    };
  },
});
