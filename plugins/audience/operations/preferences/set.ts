import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { examplePreferences, exampleToken } from '../../examples.js';
import { preferencesFields } from '../../resources.js';
import { lockContact } from '../../contacts/find.js';
import { changeChannel } from '../../preferences/change.js';
import { changeFields, channelChangesOf, preferencesLimit, preferencesToken } from '../../preferences/input.js';
import { changeForNobody } from '../../preferences/nobody.js';
import { maskedPreferences, presentPreferences } from '../../preferences/present.js';
import { requireLink } from '../../preferences/token.js';
import { isChange, preferencesAuditEntry, type ChannelResult } from '../../preferences/result.js';

export default defineOperation({
  name: 'audience.preferences.set',
  summary: 'Changes a person’s subscriptions.',
  description:
    'A link in a message concerns whoever has the address that the message went to; if nobody has it, an opt-out suppresses the address. Each change is appended as a consent record; a choice that is already in effect gets no record. `unsubscribeAll: true` unsubscribes from every topic of the channel and suppresses the address for messages with a topic; false, or subscribing to a topic, undoes that. Suppressions that the person cannot lift here remain and are stated in `suppressionReason`: a bounce, a manual suppression, or STOP (lifted by texting START).',
  access: 'public',
  limits: [preferencesLimit('60 reads and changes per IP address in 10 minutes, shared with audience.preferences.get')],
  input: object({ token: preferencesToken, ...changeFields }, { minProperties: 2 }),
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
    const { db, activityId, actIn, emit, audit } = context;
    const wanted = channelChangesOf({ email, sms });
    const { via } = context.caller.request;
    const found = await requireLink(context, token, { via });
    actIn(found.environment);
    const { nobody } = found;
    if (nobody) {
      audit(await changeForNobody(context, { ...found, nobody }, wanted));
      return { activityId, ...maskedPreferences(await presentPreferences(context, found)) };
    }
    const contact = await lockContact(db, found.environment, { contactId: found.contact.id });
    const link = { ...found, contact };
    const results: ChannelResult[] = [];
    for (const changes of wanted) results.push(await changeChannel(context, link, changes));
    const preferences = await presentPreferences(context, link);
    if (results.some(isChange))
      emit('audience.preferences.changed', {
        subjectId: contact.id,
        personId: contact.id,
        data: { contactId: contact.id, preferences },
      });
    audit(preferencesAuditEntry(link, results));
    return { activityId, ...maskedPreferences(preferences) };
  },
});
