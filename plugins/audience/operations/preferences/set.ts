import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { examplePreferences, exampleToken } from '../../examples.js';
import { preferencesFields } from '../../resources.js';
import { lockContact } from '../../contacts/find.js';
import { changeChannel } from '../../preferences/change.js';
import type { Changed } from '../../preferences/unsubscribe.js';
import { mustHold } from '../../preferences/resolve-link.js';
import { choiceFields, preferencesToken, wantedOn } from '../../preferences/input.js';
import { preferencesLimit } from '../../preferences/limit.js';
import { presentPreferences } from '../../preferences/present.js';
import { isChange, preferencesNews, preferencesNote } from '../../preferences/audit.js';
import type { Channel } from '../../ports.js';

export default defineOperation({
  name: 'audience.preferences.set',
  summary: 'Change subscriptions, by the person whose they are; each change is an appended consent record.',
  description:
    'What is as wanted already stays without a record. unsubscribeAll ends everything on the channel; false, or subscribing to a topic, undoes that. What the person cannot undo here stands on and is named in suppressionReason: a bounce, a suppression by hand, STOP (they text START).',
  access: 'public',
  limits: [preferencesLimit('60 reads and changes per IP in 10 minutes, shared with preferences.get')],
  input: object({ token: preferencesToken, ...choiceFields }),
  output: object({ activityId: uuid('The audit record of the change.'), ...preferencesFields }),
  errors: ['not_found', 'link_expired'],
  events: [
    'audience.preferences.changed',
    'audience.consent.granted',
    'audience.consent.revoked',
    'audience.suppression.added',
    'audience.suppression.lifted',
  ],
  example: {
    input: { token: exampleToken, email: { topics: { news: true } } },
    output: { activityId: '01890a5d-ac96-774b-bcce-b302099a8750', ...examplePreferences },
  },

  async handle({ token, email, sms }, context) {
    const { db, activityId, actIn, emit, audit, fail } = context;
    const wanted = wantedOn({ email, sms });
    const found = await mustHold(context, token, fail);
    actIn(found.environment);
    const holder = { ...found, contact: await lockContact(db, found.environment, { contactId: found.contact.id }) };
    const changes: { channel: Channel; changed: Changed }[] = [];
    for (const each of wanted)
      changes.push({ channel: each.channel, changed: await changeChannel(context, holder, each) });
    const preferences = await presentPreferences(context, holder);
    if (changes.some(({ changed }) => isChange(changed)))
      emit('audience.preferences.changed', preferencesNews(holder, preferences));
    audit(preferencesNote(holder, changes));
    return { activityId, ...preferences };
  },
});
