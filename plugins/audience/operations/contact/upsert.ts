import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { exampleContact } from '../../examples.js';
import { Contact } from '../../resources.js';
import { changesIn, recordConsents } from '../../consents/append.js';
import { optOutsAtGainedAddresses } from '../../consents/gained-addresses.js';
import { toClaim } from '../../consents/plan.js';
import { contactFields, requireIdentifier } from '../../contacts/input.js';
import { contactAuditEntry } from '../../contacts/audit.js';
import { presentContact } from '../../contacts/present.js';
import { planUpserts, requireResult, writeContacts } from '../../contacts/upsert.js';
import { requireGrantable } from '../../topics/find.js';

export default defineOperation({
  name: 'audience.contact.upsert',
  summary: 'Creates a contact, or updates the one with the same external id, email address or phone number.',
  description:
    'Contacts are matched by external id, then email, then phone; identifiers of different contacts are refused. Properties merge key by key (null removes a key). The call can also grant consents, with their source. Granting a consent that is already granted changes nothing, nor does a grant without a givenAt later than the person’s opt-out, so a nightly upsert never resubscribes anyone. While the person’s own unsubscribe, complaint or STOP is active, only they can undo it.',
  keywords: 'add new save customer person user',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(contactFields),
  output: object({ contact: Contact, created: boolean('Whether the contact is new.') }),
  errors: ['contact_conflict', 'topic_archived'],
  events: [
    'audience.contact.created',
    'audience.contact.updated',
    'audience.consent.granted',
    'audience.consent.revoked',
  ],
  example: {
    input: {
      externalId: 'customer-1024',
      email: 'ada@example.com',
      firstName: 'Ada',
      properties: { plan: 'pro', orders: 3 },
    },
    output: { contact: exampleContact, created: true },
  },

  async handle({ consents = [], ...input }, context) {
    const { db, caller, clock, fail, audit } = context;
    const environmentId = caller.environment.id;
    requireIdentifier(input);
    const grants = consents.map((grant, index) => ({ ...grant, field: `consents[${index}]` }));
    await requireGrantable(db, environmentId, grants, fail);
    const { results, writes } = await planUpserts(context, [input], {
      environmentId,
      acceptedAt: 'now',
      onConflict: 'update',
      fail,
      namesOwner: true,
    });
    const result = requireResult(results[0]);
    await writeContacts(context, writes);
    const { before, after: contact } = result.write;
    const created = before === null;
    const optOuts = await optOutsAtGainedAddresses(db, [result.write]);
    const changed = await recordConsents(
      context,
      [...optOuts.flat(), ...grants.map((grant) => toClaim(contact, grant, `${grant.field}.givenAt`, clock.now()))],
      { created: new Set(created ? [contact.id] : []), renew: false },
    );
    const entry = contactAuditEntry(result.write);
    audit({
      ...entry,
      summary: created ? 'Created a contact.' : 'Changed a contact.',
      changes: [...entry.changes, ...changesIn(changed)],
    });
    return { contact: presentContact(contact), created };
  },
});
