import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { examplePreferences, exampleToken } from '../../examples.js';
import { Preferences } from '../../resources.js';
import { requireLink } from '../../preferences/token.js';
import { preferencesLimit, preferencesToken } from '../../preferences/input.js';
import { maskedPreferences, presentPreferences } from '../../preferences/present.js';

export default defineOperation({
  name: 'audience.preferences.get',
  summary: 'Returns what the preferences page shows for the token from a message’s link.',
  description:
    '`email` and `phone` are masked, because links get forwarded. Lists public topics that are not archived, and the topic of the message that contains the link even if it is not public. Only links created by audience.preferences.link with expiresAt expire; links in messages never do.',
  access: 'public',
  impact: { read: true, retrySafe: true },
  limits: [preferencesLimit('60 reads and changes per IP address in 10 minutes')],
  input: object({ token: preferencesToken }),
  output: object({ preferences: Preferences }),
  errors: ['not_found', 'link_expired'],
  example: { input: { token: exampleToken }, output: { preferences: examplePreferences } },

  async handle({ token }, context) {
    const link = await requireLink(context, token);
    return { preferences: maskedPreferences(await presentPreferences(context, link)) };
  },
});
