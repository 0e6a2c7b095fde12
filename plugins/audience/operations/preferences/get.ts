import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { examplePreferences, exampleToken } from '../../examples.js';
import { Preferences } from '../../resources.js';
import { mustHold } from '../../preferences/resolve-link.js';
import { preferencesToken } from '../../preferences/input.js';
import { preferencesLimit } from '../../preferences/limit.js';
import { presentPreferences } from '../../preferences/present.js';

export default defineOperation({
  name: 'audience.preferences.get',
  summary: 'Show what the preferences page shows, for the token of a message’s link.',
  description:
    'Public topics that are not archived, and the topic of the message even where it is not public. Only addresses made by audience.preferences.link with expiresAt expire; links in messages never do.',
  access: 'public',
  impact: { read: true, retrySafe: true },
  limits: [preferencesLimit('60 reads and changes per IP in 10 minutes')],
  input: object({ token: preferencesToken }),
  output: object({ preferences: Preferences }),
  errors: ['not_found', 'link_expired'],
  example: { input: { token: exampleToken }, output: { preferences: examplePreferences } },

  async handle({ token }, context) {
    const holder = await mustHold(context, token, context.fail);
    return { preferences: await presentPreferences(context, holder) };
  },
});
