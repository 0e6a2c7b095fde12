import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { exampleContact } from '../../examples.js';
import { Contact } from '../../resources.js';
import { grantConsents } from '../../consents/append.js';
import { grantOf } from '../../consents/to-claim.js';
import { contactFields, mustBeIdentified } from '../../contacts/input.js';
import { contactNote } from '../../contacts/audit.js';
import { presentContact } from '../../contacts/present.js';
import { planUpserts, writeContacts } from '../../contacts/upsert.js';
import { mustBeGrantable } from '../../topics/find.js';

export default defineOperation({
  name: 'audience.contact.upsert',
  summary: 'Create a contact, or update the one with the same external id, address or phone.',
  description:
    'Add a person, or what you have learnt of one. Matched by external id, then address, then phone; identifiers of different contacts are refused. Properties merge key by key, and null removes a key. Consents are granted with their source. One that stands already changes nothing, nor does one without a givenAt later than the person’s opt-out: a nightly upsert never subscribes anybody again. While the person’s own unsubscribe, complaint or STOP stands, only they can undo it.',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(contactFields),
  output: object({ contact: Contact, created: boolean() }),
  errors: ['contact_conflict', 'topic_archived'],
  events: ['audience.contact.created', 'audience.contact.updated', 'audience.consent.granted'],
  example: {
    input: {
      externalId: 'customer-1024',
      email: 'ada@example.com',
      firstName: 'Ada',
      properties: { plan: 'pro', orders: 3 },
    },
    output: { contact: exampleContact, created: true },
  },

  async handle({ consents = [], ...given }, context) {
    const { db, caller, clock, fail, audit } = context;
    const environmentId = caller.environment.id;
    mustBeIdentified(given);
    const claims = consents.map((claim, index) => ({ ...claim, field: `consents[${index}]` }));
    await mustBeGrantable(db, environmentId, claims, fail);
    const { results, writes } = await planUpserts(context, [given], { environmentId, onConflict: 'update', fail });
    const [done] = results;
    if (done?.outcome === 'refused') throw done.error;
    if (!done) throw new Error('One contact was given, and none came back.');
    await writeContacts(context, writes);
    const { before, after: contact } = done.write;
    const created = before === null;
    await grantConsents(
      context,
      claims.map((claim) => grantOf(contact, claim, `${claim.field}.givenAt`, clock.now())),
      { fresh: new Set(created ? [contact.id] : []), renew: false },
    );
    audit({ ...contactNote(done.write), summary: created ? 'Created a contact.' : 'Changed a contact.' });
    return { contact: presentContact(contact), created };
  },
});
